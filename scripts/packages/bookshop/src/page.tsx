export function Page({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <html lang="en">
      <head>
        <title>{title}</title>
        <link rel="stylesheet" href="/public/style.css" />
      </head>
      <body>
        <p>{text}</p>
      </body>
    </html>
  );
}
