import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

export const ROOT = join(import.meta.dirname, '../..')

export type Manifest = Readonly<{
  name: string
  version: string
  main: string
  types: string
  engines: Readonly<{ node: string }>
  exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  publishConfig: object
  private?: boolean
  scripts?: object
  dependencies: Readonly<Record<string, string>>
}>

export type PackedSdk = Readonly<{
  /** A folder of a user, with the package in its `node_modules` and nothing else. */
  project: string
  installed: string
  manifest: Manifest
  /** What the archive holds. */
  files: readonly string[]
}>

/** The package as `npm pack` makes it, installed in a folder that is removed after the file. */
export function packSdk(): PackedSdk {
  const scratch = mkdtempSync(join(tmpdir(), 'florin-sdk-'))
  after(() => rmSync(scratch, { recursive: true, force: true }))
  const built = join(scratch, 'dist')
  const project = join(scratch, 'project')
  const installed = join(project, 'node_modules/@florin/sdk')
  mkdirSync(installed, { recursive: true })
  execFileSync(process.execPath, [join(ROOT, 'tools/sdk/build-sdk.ts'), built])
  const npm = ['pack', '--silent', '--offline', '--pack-destination', scratch]
  const env = { ...process.env, npm_config_cache: join(scratch, 'npm') }
  const name = execFileSync('npm', npm, { cwd: built, env, encoding: 'utf8' }).trim()
  const archive = join(scratch, name)
  execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1'])
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest
  const dependencies = { [manifest.name]: manifest.version }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, dependencies }))
  return { project, installed, manifest, files: filesOf(archive) }
}

const filesOf = (archive: string): string[] =>
  execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''))
    .toSorted()
