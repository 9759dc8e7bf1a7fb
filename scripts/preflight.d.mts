export function missing(version: string, packages: "all" | "production" | "none"): string | undefined;
