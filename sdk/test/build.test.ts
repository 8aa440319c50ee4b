/** The package as it is published: plain JavaScript with types, the core without a dependency. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { packSdk, ROOT } from './packed.ts'

const { project, installed, manifest, files } = packSdk()
const read = (path: string): string => readFileSync(join(installed, path), 'utf8')

describe('the archive', () => {
  test('OPER-200 it holds the build of every source with its types, and what a package needs, and nothing else', () => {
    const sources = globSync('**/*.ts', { cwd: join(ROOT, 'sdk/src') })
    const built = sources
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => path.replace(/\.ts$/, ''))
      .flatMap((path) => [`${path}.js`, `${path}.d.ts`])
    const wanted = [...built, 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']
    assert.deepEqual(files, wanted.toSorted())
    assert.match(read('generated/resources/quotes.d.ts'), /\* Execute a quote\./)
  })

  test('OPER-200 every entry has its types first, and both are there', () => {
    assert.deepEqual(Object.keys(manifest.exports), ['.', './wallet', './package.json'])
    for (const [entry, target] of Object.entries(manifest.exports)) {
      const paths = typeof target === 'string' ? { default: target } : target
      if (entry !== './package.json') assert.deepEqual(Object.keys(paths), ['types', 'default'])
      for (const path of Object.values(paths)) assert.ok(files.includes(path.slice(2)), path)
    }
    assert.deepEqual([manifest.main, manifest.types], ['./index.js', './index.d.ts'])
  })

  test('OPER-200 every file that is imported is in it, and every package among the dependencies', () => {
    const own = Object.keys(manifest.dependencies)
    for (const file of files.filter((path) => /\.(?:js|d\.ts)$/.test(path))) {
      for (const name of importsOf(read(file))) {
        const isThere = name.startsWith('.')
          ? files.includes(join(dirname(file), name))
          : own.some((known) => name === known || name.startsWith(`${known}/`))
        assert.ok(isThere, `${file} imports ${name}`)
      }
    }
  })

  test('OPER-200 it may be published, with provenance, under a version that its changelog has', () => {
    assert.equal(manifest.private, undefined)
    assert.equal(manifest.scripts, undefined)
    assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true })
    const [newest] = /(?<=^## ).*$/m.exec(read('CHANGELOG.md')) ?? []
    assert.equal(newest, manifest.version)
  })
})

/** In JavaScript and in declarations, where a type may be imported in passing. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom |\bimport\(|^import )['"]([^'"]+)['"]/gm)].map(
    ([, name = '']) => name,
  )

/** Refused where the types are missing: everything would be `any`, and the error that is expected would not be there. */
const CONSUMER = `
const florin: Florin = createFlorin({ baseUrl: 'https://x.test', clientId: 'a', clientSecret: 'b' })
export async function pay(): Promise<string> {
  // @ts-expect-error an id is no number
  const wrong: number = (await florin.customers.get('Customer:1')).id
  const key: DeviceKey = await createDeviceKey()
  return wrong + (await stamp(key, 'text'))
}
`
const STATIC = `import { createFlorin, type Florin } from '@florin/sdk'
import { createDeviceKey, stamp, type DeviceKey } from '@florin/sdk/wallet'
${CONSUMER}`
const DYNAMIC = `import type { Florin } from '@florin/sdk' with { 'resolution-mode': 'import' }
import type { DeviceKey } from '@florin/sdk/wallet' with { 'resolution-mode': 'import' }
export async function load(): Promise<void> {
  const { createFlorin } = await import('@florin/sdk')
  const { createDeviceKey, stamp } = await import('@florin/sdk/wallet')
  ${CONSUMER.replace('export ', '')}
  await pay()
}
`
const NATIVE = 'node_modules/typescript-native/bin/tsc'
/** The last compiler that knows `node10`. */
const OLD = 'node_modules/typescript/bin/tsc'
const OF_BROWSERS = ['--lib', 'es2022,dom,dom.iterable,dom.asynciterable', '--types', '']
const OF_NODE = [
  '--lib',
  'es2023',
  '--types',
  'node',
  '--typeRoots',
  join(ROOT, 'node_modules/@types'),
]
const WITHOUT_EXPORTS = ['--ignoreDeprecations', '6.0', '--skipLibCheck']

const CONSUMERS = [
  { as: 'node10', module: 'commonjs', files: { 'a.ts': STATIC }, flags: WITHOUT_EXPORTS },
  {
    as: 'node16',
    module: 'node16',
    files: { 'b.mts': STATIC, 'c.cts': DYNAMIC },
    flags: OF_BROWSERS,
  },
  {
    as: 'nodenext',
    module: 'nodenext',
    files: { 'd.mts': STATIC, 'e.cts': STATIC },
    flags: OF_NODE,
  },
  { as: 'bundler', module: 'preserve', files: { 'f.ts': STATIC }, flags: OF_BROWSERS },
]

describe('types', () => {
  for (const { as, module, files, flags } of CONSUMERS) {
    test(`OPER-201 a program compiles with moduleResolution ${as} and module ${module}`, () => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
      const given = ['--noEmit', '--strict', '--skipDefaultLibCheck', '--target', 'es2022']
      const how = [...given, '--module', module, '--moduleResolution', as, ...flags]
      const compiler = join(ROOT, as === 'node10' ? OLD : NATIVE)
      execFileSync(process.execPath, [compiler, ...Object.keys(files), ...how], { cwd: project })
    })
  }
})

/** A program of a user who has installed the package and nothing else; without type stripping. */
function run(name: string, program: string): string {
  writeFileSync(join(project, name), program)
  const flags = ['--no-experimental-strip-types', name]
  return execFileSync(process.execPath, flags, { cwd: project, encoding: 'utf8' })
}

test('OPER-200 the core needs nothing else, and CommonJS gets the same one as an import', () => {
  const output = run(
    'program.cjs',
    `const required = require('@florin/sdk')
     import('@florin/sdk').then((imported) => console.log(
       required.API_VERSION, required.FlorinError === imported.FlorinError,
     ))`,
  )
  assert.equal(output, '2025-10-13 true\n')
})

test('OPER-200 the wallet entry point needs its libraries, and they alone', () => {
  for (const name of [...Object.keys(manifest.dependencies), '@hpke/common']) {
    mkdirSync(join(project, 'node_modules', name, '..'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  }
  const print = `createDeviceKey().then((key) => stamp(key, 'text')).then(console.log)`
  const programs = {
    'wallet.mjs': `import { createDeviceKey, stamp } from '@florin/sdk/wallet'; ${print}`,
    'wallet.cjs': `const { createDeviceKey, stamp } = require('@florin/sdk/wallet'); ${print}`,
  }
  for (const [name, program] of Object.entries(programs)) {
    const stamped: unknown = JSON.parse(Buffer.from(run(name, program), 'base64url').toString())
    assert.equal((stamped as { scheme: string }).scheme, 'SIGNATURE_SCHEME_TK_API_P256')
  }
})
