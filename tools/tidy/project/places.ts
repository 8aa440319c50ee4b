// Which part of the repository a path belongs to. Paths are relative to the root, with forward slashes.

const CODE = /\.[cm]?[jt]sx?$/
const TEST = /\.test\.[cm]?[jt]sx?$/

export const isCode = (path: string): boolean => CODE.test(path)
export const isTestFile = (path: string): boolean => TEST.test(path)
/** A test, or what only tests use. */
export const isTest = (path: string): boolean => isTestFile(path) || /^[a-z]+\/test\//.test(path)
/** Scripts that people run by hand or in CI; never part of the running service. */
export const isScript = (path: string): boolean => /^(tools|bench|examples|cli)\//.test(path)
export const isConfig = (path: string): boolean => /(^|\/)[\w.-]+\.config\.[cm]?[jt]s$/.test(path)
export const isGenerated = (path: string): boolean => /\/generated\//.test(path)

export const isServerSource = (path: string): boolean =>
  path.startsWith('server/src/') && isCode(path) && !isTest(path)

/** Served to a visitor and run in the browser; the service's own clock does not reach there. */
export const isBrowserScript = (path: string): boolean =>
  /^server\/src\/(pages|dashboard)\/.*\.js$/.test(path)

/** `features` for `server/src/features/quotes/store.ts`. */
export const layerOf = (path: string): string | undefined =>
  /^server\/src\/([^/]+)\//.exec(path)?.[1]

/** `quotes` for `server/src/features/quotes/store.ts`. */
export const featureOf = (path: string): string | undefined =>
  /^server\/src\/features\/([^/]+)\//.exec(path)?.[1]

export const inLayer = (path: string, ...layers: readonly string[]): boolean =>
  layers.includes(layerOf(path) ?? '')

/** Files that may hold SQL wherever they lie: `store.ts`, or `<noun>-store.ts` where one would be too long. */
export const isStore = (path: string): boolean => /(^|[/-])store\.ts$/.test(path)

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
