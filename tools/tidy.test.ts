import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkProject, RULES } from './tidy/project/check-project.ts'
import { projectOf } from './tidy/project/project.ts'

const script = fileURLToPath(new URL('tidy.ts', import.meta.url))

/** Runs the command on a repository made of `files`, outside git. */
function tidy(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'florin-tidy-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, dirname(path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return spawnSync(process.execPath, [script, root], { encoding: 'utf8' })
  } finally {
    rmSync(root, { recursive: true })
  }
}

test('a tidy repository passes and its sizes are printed', () => {
  const { status, stdout } = tidy({
    'README.md': 'Florin\n',
    'tools/a.ts': 'export const a = 1\n',
    'node_modules/Bad_Name.js': 'export default 1\n',
  })
  assert.equal(status, 0)
  assert.match(stdout, /^files +1 +lines p50 +1 /m)
  assert.match(stdout, /^tidy: 0 findings/m)
})

test('an untidy repository fails, with place, rule and fix of everything found', () => {
  const { status, stdout } = tidy({
    'tools/a.ts': '\nenum A { B }\nexport default 1\n',
    'notes.md': '',
  })
  assert.equal(status, 1)
  assert.match(stdout, /^notes\.md:1 {2}root-folder {2}move it/m)
  assert.match(stdout, /^tools\/a\.ts:2 {2}no-enum {2}use a union of strings/m)
  assert.match(stdout, /^tools\/a\.ts:3 {2}no-default-export/m)
  assert.match(stdout, /^tidy: 3 findings/m)
})

test('findings come in the order of files and lines, once for each line and rule', () => {
  const text = 'Math.random() + Math.random()\n'
  const findings = checkProject(
    projectOf(
      new Map([
        ['tools/b.ts', text + text],
        ['bench/a.ts', text],
      ]),
    ),
  )
  assert.deepEqual(
    findings.map(({ file, line, rule }) => `${file}:${line} ${rule}`),
    ['bench/a.ts:1 math-random', 'tools/b.ts:1 math-random', 'tools/b.ts:2 math-random'],
  )
})

test('every rule has a name of its own and a fix', () => {
  assert.equal(new Set(RULES.map(({ name }) => name)).size, RULES.length)
  for (const { fix } of RULES) assert.ok(fix.length > 10)
})
