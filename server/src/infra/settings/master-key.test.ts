import assert from 'node:assert/strict'
import { once } from 'node:events'
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
import { createKeyring } from '../../crypto/keyring.ts'
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
  const folders = Array.from({ length: 40 }, (_, index) => join(folder, `shared-${index}`))
  // Nobody begins before all are there, and each goes through the folders in the same order.
  const code = `
    const { parentPort, workerData: { module, folders, waiting } } = require('node:worker_threads')
    const left = new Int32Array(waiting)
    import(module).then(({ ensureMasterKey }) => {
      Atomics.sub(left, 0, 1)
      while (Atomics.load(left, 0) > 0);
      parentPort.postMessage(folders.map(ensureMasterKey))
    })`
  const count = 3
  const waiting = new SharedArrayBuffer(4)
  new Int32Array(waiting)[0] = count
  const workerData = {
    module: new URL('./master-key.ts', import.meta.url).href,
    folders,
    waiting,
  }
  const keys = await Promise.all(
    Array.from({ length: count }, async () => {
      const [made] = await once(new Worker(code, { eval: true, workerData }), 'message')
      return made as string[]
    }),
  )
  assert.equal(new Set(keys[0]).size, folders.length)
  for (const made of keys) assert.deepEqual(made, keys[0])
  for (const shared of folders) assert.deepEqual(readdirSync(shared), ['master.key'])
})
