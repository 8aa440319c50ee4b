import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { expectStatus } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import type { ApiError } from '../../../kernel/errors.ts'
import { findCommand, parseCommandLine } from '../../command-line/command-line.ts'
import { UsageError } from '../../command.ts'
import { commands } from '../../commands.ts'

const kit = await startOwnKit()
const folder = mkdtempSync(join(tmpdir(), 'florin-terms-'))
after(() => rmSync(folder, { recursive: true }))

function fileWith(text: string): string {
  const path = join(folder, 'terms.txt')
  writeFileSync(path, text)
  return path
}

async function publish(version: string, text: string): Promise<unknown> {
  const args = ['terms', 'publish', '--version', version, '--file', fileWith(text)]
  const command = findCommand(commands, args)
  assert.ok(command)
  return command.run(kit.florin.deps, parseCommandLine(command, args))
}

test('CORE-83 CUST-30 terms publish makes the current version, once', async () => {
  const p = await kit.platform()
  const published = (await publish('V2', 'New terms.')) as { version: string }
  assert.equal(published.version, 'V2')
  const terms = expectStatus(await p.api.get('/customers/end-user-terms'), 200)
  assert.equal(terms.version, 'V2')
  await assert.rejects(publish('V2', 'Others.'), (error: ApiError) => error.code === 'CONFLICT')
  await publish('V3', 'Newest terms.')
  const page = await fetch(new URL('/legal/end-user-terms/V2', kit.baseUrl))
  assert.match(await page.text(), /New terms\./, 'earlier versions stay')
})

test('CORE-83 what is no version or no text is refused', async () => {
  for (const version of ['', 'a b', '../x', 'x'.repeat(65)]) {
    await assert.rejects(publish(version, 'Text.'), UsageError, version)
  }
  for (const text of ['', ' \n ', 'a\u0000b']) {
    await assert.rejects(publish('V9', text), UsageError)
  }
})
