import { existsSync } from 'node:fs'

/** The npm package that carries Chromium has it for this kind of machine alone. */
export const isBundled = process.platform === 'linux' && process.arch === 'x64'

/** The one without windows first: it needs far less of the processor. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The one that `CHROMIUM_PATH` names, or one of the system. */
export const installedChromium = (): string | undefined =>
  process.env.CHROMIUM_PATH || PLACES.find((path) => existsSync(path))

export const hasChromium = (): boolean => isBundled || installedChromium() !== undefined
