import type { PackageFiles } from "../toolkit/build-client/package-files.ts";

export interface NewPackage {
  readonly name: string;
  readonly files: PackageFiles;
  /** The fields of package.json that differ between the packages. */
  readonly manifest: object;
  /** Path of the README in this project. */
  readonly readme: string;
  /** The largest tarball, in bytes. */
  readonly limitBytes: number;
}
