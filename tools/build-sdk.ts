/**
 * `npm run build -w sdk`: the SDK as plain JavaScript with its types, a complete package in a folder.
 *
 *   node tools/build-sdk.ts [folder]     sdk/dist, unless another is named
 */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const SDK = join(ROOT, 'sdk')

type Manifest = Readonly<{ exports: Record<string, string>; scripts: unknown }>

/** Here the entry points are the sources themselves; a package that is installed has what was built from them. */
function publishedManifest(): object {
  const { exports, scripts, ...manifest } = JSON.parse(
    readFileSync(join(SDK, 'package.json'), 'utf8'),
  ) as Manifest
  const entries = Object.entries(exports).map(([entry, source]) => {
    const built = source.replace(/^\.\/src\/(.*)\.ts$/, './$1')
    return [entry, { types: `${built}.d.ts`, default: `${built}.js` }]
  })
  return { ...manifest, exports: Object.fromEntries(entries) as object }
}

function build(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc')
  const { status } = spawnSync(
    process.execPath,
    [compiler, '-p', join(SDK, 'tsconfig.build.json'), '--outDir', folder],
    { stdio: 'inherit' },
  )
  if (status !== 0) throw new Error('the SDK does not compile')
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(publishedManifest(), undefined, 2)}\n`,
  )
  cpSync(join(SDK, 'README.md'), join(folder, 'README.md'))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

build(resolve(process.argv[2] ?? join(SDK, 'dist')))
