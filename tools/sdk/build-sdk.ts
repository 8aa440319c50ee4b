/**
 * `npm run build -w sdk`: the SDK as plain JavaScript with its types, a complete package in a folder.
 *
 *   node tools/sdk/build-sdk.ts [folder]     sdk/dist, unless another is named
 */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const SDK = join(ROOT, 'sdk')

type Manifest = Readonly<{ exports: Record<string, string>; scripts: unknown; private: unknown }>

/**
 * Here the entry points are the sources themselves, and nothing is to be published; a package that is installed has what
 * was built from them. `default` serves `import` and `require` alike; `main` and `types` serve compilers that do not know
 * `exports`.
 */
function publishedManifest(): object {
  const {
    exports,
    scripts,
    private: _private,
    ...manifest
  } = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8')) as Manifest
  const entries = Object.entries(exports).map(([entry, source]) => {
    const built = source.replace(/^\.\/src\/(.*)\.ts$/, './$1')
    return [entry, { types: `${built}.d.ts`, default: `${built}.js` }]
  })
  return {
    ...manifest,
    main: './index.js',
    types: './index.d.ts',
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' } as object,
  }
}

/** In declarations the compiler leaves the names of sources as they are; older ones do not find a `.d.ts` by them. */
function nameBuiltFiles(folder: string): void {
  for (const name of globSync('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replaceAll(/(?<=['"]\.{1,2}\/[^'"]*)\.ts(?=['"])/g, '.js'))
  }
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
  nameBuiltFiles(folder)
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(publishedManifest(), undefined, 2)}\n`,
  )
  for (const name of ['README.md', 'CHANGELOG.md']) cpSync(join(SDK, name), join(folder, name))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

build(resolve(process.argv[2] ?? join(SDK, 'dist')))
