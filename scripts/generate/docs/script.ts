/**
 * What the page does beyond HTML: copying code, one choice of language for all samples, and a menu that closes behind the
 * reader. All else works without it.
 */
export const script = `
for (const button of document.querySelectorAll("button.copy")) {
  const code = button.previousElementSibling;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
  });
  button.addEventListener("blur", () => { button.textContent = "Copy"; });
}
document.addEventListener("change", ({ target }) => {
  const { top } = target.getBoundingClientRect();
  for (const input of document.querySelectorAll(".sample input")) if (input.value === target.value) input.checked = true;
  scrollBy(0, target.getBoundingClientRect().top - top);
});
const menu = document.getElementById("menu");
menu.addEventListener("click", ({ target }) => { if (target.closest("a") && menu.matches(":popover-open")) menu.hidePopover(); });
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.matches("details")) target.open = true;
};
addEventListener("hashchange", open);
open();
`;
