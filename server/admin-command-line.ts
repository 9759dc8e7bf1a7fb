/** How the user calls the operator's command line. The Docker image has no npm. */
export const commandLine = ["admin", "dev", "start"].includes(process.env.npm_lifecycle_event ?? "")
  ? "npm run -s admin --"
  : "node server/admin";
