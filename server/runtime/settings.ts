/** Settings of a program: environment variables and the file .env. */
export { readEnvironmentFile } from "./process/environment-file.ts";
export {
  defaultSettings,
  problemsOfServer,
  readServerConfig,
  serverSettings,
} from "./process/server-settings.ts";
export {
  exactOrigins,
  nonEmpty,
  oneOf,
  optional,
  origins,
  SettingError,
  secretKeys,
  wholeNumber,
} from "./process/setting-readers.ts";
export {
  ConfigError,
  type Environment,
  readSettings,
  type Setting,
  type Settings,
  type ValuesOf,
  warningsOf,
} from "./process/settings.ts";
