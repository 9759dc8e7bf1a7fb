/** How the page looks: the reader's light or dark colours, the system's typefaces, and nothing that has to be fetched. */
export const style = `
:root { color-scheme: light dark; scroll-padding-top: 1rem; accent-color: var(--accent);
  --paper: light-dark(#ffffff, #14171a); --ink: light-dark(#1c2126, #e4e7ea); --soft: light-dark(#59636e, #9ca6b0);
  --line: light-dark(#e1e5e9, #2b3137); --ground: light-dark(#f6f7f9, #1b1f23); --accent: light-dark(#0a58ca, #82b1ff);
  --good: light-dark(#116b3c, #62c98f); --bad: light-dark(#a3360a, #f0a27a); --danger: light-dark(#b3261e, #ff9a92);
  --text: light-dark(#0b6140, #8bd5a8); --number: light-dark(#0a58ca, #8ab8ff); --word: light-dark(#8a3ffc, #c4a5ff); }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .4rem .8rem; background: var(--paper); z-index: 2; }
.skip:focus { top: .5rem; }
code, pre, kbd { font: .875em/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
p, ul, ol, dl, table, pre, blockquote { margin: 0 0 .9rem; }
ul, ol { padding-left: 1.3rem; } li p { margin: 0; } li + li { margin-top: .3rem; }
blockquote { border-left: 3px solid var(--line); margin-left: 0; padding-left: 1rem; color: var(--soft); }
h1, h2, h3, h4, h5, h6 { line-height: 1.3; margin: 2rem 0 .6rem; font-weight: 650; text-wrap: balance; }
h1 { font-size: 1.9rem; letter-spacing: -.015em; margin-top: 0; } h1 small { color: var(--soft); font-size: 1rem; font-weight: 400; letter-spacing: 0; white-space: nowrap; }
h2 { font-size: 1.45rem; letter-spacing: -.01em; margin-top: 0; } h3 { font-size: 1.2rem; } h4 { font-size: 1rem; } h5, h6 { font-size: .92rem; }
h3 > a { color: inherit; text-decoration: none; } h3 > a:hover { text-decoration: underline; }
h4 > code { color: var(--soft); font-weight: 400; }
p > code, li > code, dd > code, td > code, span > code, figcaption > code { background: var(--ground); padding: .1em .3em; border-radius: 4px; }
a > code { background: none; padding: 0; }

nav { font-size: .92rem; line-height: 1.45; }
nav ul { list-style: none; margin: 0; padding: 0; } nav li + li { margin: 0; }
nav p { margin: 1.2rem 0 .25rem; font-size: .8rem; font-weight: 600; color: var(--soft); }
nav a { display: block; padding: .28rem .6rem; margin: 0 -.6rem; border-radius: 6px; color: inherit; text-decoration: none; }
nav a:hover { background: var(--ground); }
main > section { padding: 2.6rem 0 1.4rem; border-top: 1px solid var(--line); } main > section:first-child { border: 0; padding-top: 0; }
#overview-section > h2 { font-size: 1.2rem; margin-top: 2rem; }
.lead { color: var(--soft); font-size: 1.08rem; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.2rem; font-size: .95rem; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; }

.operation, .schema { padding-top: 1.6rem; margin-bottom: 2.5rem; } .operation > header > h3, .schema > h3 { margin-top: 0; font-size: 1.25rem; }
.operation + .operation { border-top: 1px solid var(--line); }
.address { margin-bottom: .4rem; } .address code { font-size: .95rem; }
.method { font: 700 .78rem/1 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: .03em; margin-right: .35rem; color: var(--word); }
.get { color: var(--good); } .post { color: var(--accent); } .put, .patch { color: var(--bad); } .delete { color: var(--danger); }
.needs { color: var(--soft); font-size: .9rem; } .needs span + span::before { content: "·"; margin-right: .35rem; }

dl.fields { border-top: 1px solid var(--line); }
.fields > div { padding: .6rem 0; border-bottom: 1px solid var(--line); }
.fields dt > code { font-weight: 600; font-size: .9rem; margin-right: .3rem; } .fields dt em { font-weight: 400; }
.fields dd { margin: .15rem 0 0; font-size: .94rem; } .fields dd > p { margin-bottom: .3rem; } .fields dd > :last-child { margin-bottom: 0; }
.fields .fields { margin: .6rem 0 0; padding-left: 1rem; border-left: 2px solid var(--line); border-top: 0; }
.fields .fields > div:last-child { border-bottom: 0; padding-bottom: 0; } .fields .fields > div:first-child { padding-top: 0; }
.type, .mark, .required { font-size: .84rem; color: var(--soft); } .required { color: var(--bad); } h4 > span { font-weight: 400; }
.limits { color: var(--soft); font-size: .88rem; }
.type-line { font-size: .94rem; }
.branches { margin: .6rem 0 .9rem; } .branches > p { font-size: .88rem; color: var(--soft); margin-bottom: .4rem; }
.branch { border: 1px solid var(--line); border-radius: 8px; padding: .7rem .9rem .2rem; margin-bottom: .6rem; } .branch > p { margin-bottom: .4rem; } .branch > .fields { border: 0; padding: 0; margin-bottom: .4rem; }
.branch > .fields > div:last-child { border: 0; }

.responses details { border-bottom: 1px solid var(--line); } .responses details:first-child { border-top: 1px solid var(--line); }
.responses summary { padding: .55rem 0; cursor: pointer; list-style-position: outside; margin-left: 1.1rem; }
.responses summary b { font-weight: 600; } .responses summary :is(.good, .bad) { font: 600 .9rem/1 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.responses details details { border: 0; margin: .9rem 0 0; } .responses details details summary { font-size: .9rem; color: var(--soft); padding: .2rem 0; } .responses summary b.good, .responses summary b.bad { margin-right: .5rem; }
.responses details > div { padding: 0 0 .6rem 1.1rem; } .responses h4 { margin: 1rem 0 .4rem; font-size: .9rem; }
.good { color: var(--good); } .bad { color: var(--bad); }
table { border-collapse: collapse; width: 100%; font-size: .94rem; } th { font-weight: 600; font-size: .84rem; color: var(--soft); }
td > code, td > a > code { overflow-wrap: normal; white-space: nowrap; } td > .method ~ code { white-space: normal; overflow-wrap: anywhere; }
th, td { text-align: left; vertical-align: top; padding: .45rem .9rem .45rem 0; border-bottom: 1px solid var(--line); } td:last-child { padding-right: 0; }
.wide { overflow-x: auto; }
:is(tr, details):target { box-shadow: -.5rem 0 var(--paper), -.65rem 0 var(--accent); }

figure { margin: 0 0 .9rem; } figcaption { font-size: .88rem; color: var(--soft); margin-bottom: .4rem; } figcaption, .answer { padding-right: 5rem; }
pre { overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: 8px; padding: .75rem .9rem; font-size: .84rem; tab-size: 2; overflow-wrap: normal; }
pre code { font-size: 1em; }
.code { position: relative; } .code pre { max-height: 28rem; overflow: auto; }
.copy { position: absolute; bottom: calc(100% + .3rem); right: 0; font: 500 .75rem/1 system-ui, sans-serif; padding: .34rem .55rem; color: var(--soft); background: var(--paper); border: 1px solid var(--line); border-radius: 6px; cursor: pointer; }
.copy:hover { color: var(--ink); border-color: var(--soft); }
pre i { font-style: normal; } i.text { color: var(--text); } i.number { color: var(--number); } i.word { color: var(--word); }
.sample { margin-bottom: 1.4rem; } .sample .title { font-size: .92rem; font-weight: 600; margin-bottom: .4rem; } summary.title { cursor: pointer; padding: .3rem 0; }
fieldset { border: 0; margin: 0 0 .5rem; padding: 0; display: flex; gap: .3rem; } legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
fieldset label { font-size: .82rem; padding: .2rem .6rem; border-radius: 6px; color: var(--soft); cursor: pointer; position: relative; }
fieldset input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
fieldset label:has(:checked) { background: var(--ground); color: var(--ink); box-shadow: inset 0 0 0 1px var(--line); }
fieldset label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 1px; }
.sample:has([value="curl"]:checked) [data-language="TypeScript"], .sample:has([value="TypeScript"]:checked) [data-language="curl"] { display: none; }
.answer { font-size: .88rem; color: var(--soft); margin-bottom: .4rem; }

.top { display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding: .7rem 1.1rem; border-bottom: 1px solid var(--line); }
.top b { font-weight: 650; } .top button { font: inherit; font-size: .9rem; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .7rem; }
nav[popover] { border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: inherit; padding: .6rem 1.4rem 1.2rem; width: min(22rem, calc(100vw - 2rem)); max-height: calc(100vh - 2rem); overflow-y: auto; }
nav::backdrop { background: rgb(0 0 0 / .35); }
main { padding: 1.6rem 1.1rem 4rem; }

@media (min-width: 60rem) {
  .top { display: none; }
  body { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); }
  nav[popover] { display: block; position: sticky; inset: 0 auto auto 0; margin: 0; height: 100vh; max-height: none; width: auto; border: 0; border-right: 1px solid var(--line); border-radius: 0; padding: 1.4rem 1.5rem 3rem; }
  nav p.name { margin: 0 0 .8rem; font-size: 1rem; color: var(--ink); }
  main { padding: 2.2rem 2.6rem 6rem; max-width: 90rem; }
  main > section > :not(.operation, .wide), .schema { max-width: 46rem; }
}
@media (min-width: 72rem) {
  .operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 25.5rem); grid-template-rows: auto 1fr; column-gap: 2.6rem; }
  .operation > .samples { grid-column: 2; grid-row: 1 / span 2; position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; padding: 3px; }
  .operation > .parts { grid-column: 1; }
}
@media (max-width: 59.99rem) { nav p.name { display: none; } }
@media (max-width: 40rem) {
  .stacked thead { position: absolute; clip-path: inset(50%); } .stacked :is(tbody, tr, td) { display: block; } .stacked tr { padding: .5rem 0; border-bottom: 1px solid var(--line); } .stacked td { padding: 0; border: 0; }
}
@media print {
  nav[popover], .top, .copy, fieldset, .skip { display: none; } body { display: block; font-size: 10.5pt; } pre, .code pre { max-height: none; white-space: pre-wrap; }
  .operation { display: block; } .operation > .samples { max-height: none; overflow: visible; } details::details-content { content-visibility: visible; block-size: auto; } .language { display: block !important; }
}
`;
