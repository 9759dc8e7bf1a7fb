export function missing(version: string, hasPackages: boolean): string | undefined;
