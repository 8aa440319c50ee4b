import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createKeyring } from '../crypto/keyring.ts'
import { ensureMasterKey } from './master-key.ts'
import { SettingsError } from './settings-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'florin-master-key-'))
after(() => rmSync(folder, { recursive: true }))

test('CORE-82 in development a key is made in the data folder, for its owner alone, once', () => {
  const dataDir = join(folder, 'new', 'data')
  const made = ensureMasterKey(dataDir)
  assert.equal(createKeyring(made).keyIds.length, 1)
  assert.equal(statSync(join(dataDir, 'master.key')).mode & 0o777, 0o600)
  assert.equal(ensureMasterKey(dataDir), made)
  assert.deepEqual(readdirSync(dataDir), ['master.key'])
})

test('CORE-82 two installations make different keys', () => {
  assert.notEqual(ensureMasterKey(join(folder, 'one')), ensureMasterKey(join(folder, 'two')))
})

test('CORE-82 a key file that others may read is closed to them', () => {
  const dataDir = join(folder, 'open')
  const made = ensureMasterKey(dataDir)
  chmodSync(join(dataDir, 'master.key'), 0o644)
  assert.equal(ensureMasterKey(dataDir), made)
  assert.equal(statSync(join(dataDir, 'master.key')).mode & 0o777, 0o600)
})

test('CORE-82 a damaged key file is refused and left as it is', () => {
  const path = join(folder, 'master.key')
  for (const content of ['', 'not a key']) {
    writeFileSync(path, content)
    assert.throws(() => ensureMasterKey(folder), SettingsError)
    assert.equal(readFileSync(path, 'utf8'), content)
  }
})

test('CORE-82 processes that start at once agree on one key', async () => {
  const dataDir = join(folder, 'shared')
  const module = JSON.stringify(new URL('./master-key.ts', import.meta.url).href)
  const code = `import(${module}).then(({ ensureMasterKey }) =>
    require('node:worker_threads').parentPort.postMessage(ensureMasterKey(${JSON.stringify(dataDir)})))`
  const keys = await Promise.all(
    Array.from(
      { length: 4 },
      () =>
        new Promise((resolve, reject) => {
          new Worker(code, { eval: true }).on('message', resolve).on('error', reject)
        }),
    ),
  )
  assert.equal(new Set(keys).size, 1)
  assert.deepEqual(readdirSync(dataDir), ['master.key'])
})
