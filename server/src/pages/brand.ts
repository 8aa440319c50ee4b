/** The mark and the type that the reference and the dashboard have in common. */
import { fileURLToPath } from 'node:url'

const FONTS = {
  'inter.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'jetbrains-mono.woff2':
    '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
}

/** Where each file of the brand lies, by the name under which it is served. */
export const brandFiles: readonly (readonly [name: string, path: string])[] = [
  ['icon.svg', fileURLToPath(new URL('docs/icon.svg', import.meta.url))],
  ...Object.entries(FONTS).map(
    ([name, specifier]) => [name, fileURLToPath(import.meta.resolve(specifier))] as const,
  ),
]
