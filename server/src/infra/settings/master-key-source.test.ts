import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runKeyCommand } from './master-key-source.ts'
import { loadSettings, SettingsError } from './settings.ts'

const cwd = mkdtempSync(join(tmpdir(), 'florin-key-source-'))
after(() => rmSync(cwd, { recursive: true }))

const KEY = `2026a:${Buffer.alloc(32, 3).toString('base64')}`
const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://pay.example.com' }
const path = process.env['PATH']

const keyOf = (env: Record<string, string>) =>
  loadSettings({ PATH: path, ...PRODUCTION, ...env }, { cwd }).masterKey

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    keyOf(env)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}

function keyFile(name: string, mode: number, content = `${KEY}\n`): string {
  const file = join(cwd, name)
  writeFileSync(file, content)
  chmodSync(file, mode)
  return file
}

test('OPER-80 the master key comes from one of three settings, in the same form', () => {
  const file = keyFile('any', 0o600)
  assert.equal(keyOf({ MASTER_KEY: KEY }), KEY)
  assert.equal(keyOf({ MASTER_KEY_FILE: file }), KEY)
  assert.equal(keyOf({ MASTER_KEY_COMMAND: `cat ${file}` }), KEY)
  assert.equal(keyOf({ MASTER_KEY_FILE: 'any' }), KEY, 'a path is read from the working directory')
})

test('OPER-80 more than one, or none in production, is refused beside every other problem', () => {
  const file = keyFile('second', 0o600)
  const two = problemsOf({ MASTER_KEY: KEY, MASTER_KEY_FILE: file, PORT: 'x' })
  assert.equal(two.length, 2)
  assert.match(two[0] ?? '', /^PORT must be/)
  assert.match(two[1] ?? '', /^MASTER_KEY and MASTER_KEY_FILE are both given: give exactly one/)
  const [three] = problemsOf({ MASTER_KEY: KEY, MASTER_KEY_FILE: file, MASTER_KEY_COMMAND: 'true' })
  assert.match(three ?? '', /^MASTER_KEY and MASTER_KEY_FILE and MASTER_KEY_COMMAND are/)
  const [none] = problemsOf({})
  assert.match(none ?? '', /^MASTER_KEY or MASTER_KEY_FILE or MASTER_KEY_COMMAND is required/)
  const wrong = problemsOf({ MASTER_KEY_FILE: join(cwd, 'absent'), PORT: 'x' })
  assert.equal(wrong.length, 2, 'a file that is not there is one problem among all')
  assert.match(wrong[1] ?? '', /absent cannot be read \(ENOENT\)/)
})

test('OPER-81 a key file is a regular file of mode 0600 or 0400 in production', () => {
  assert.equal(keyOf({ MASTER_KEY_FILE: keyFile('read', 0o400) }), KEY)
  symlinkSync(join(cwd, 'read'), join(cwd, 'mounted'))
  assert.equal(keyOf({ MASTER_KEY_FILE: 'mounted' }), KEY, 'a link to such a file serves')
  for (const mode of [0o644, 0o640, 0o604, 0o700]) {
    const file = keyFile('open', mode)
    const [problem = ''] = problemsOf({ MASTER_KEY_FILE: file })
    assert.ok(problem.includes(`has mode 0${mode.toString(8)}`), problem)
    assert.equal(keyOf({ MASTER_KEY_FILE: file, NODE_ENV: 'development' }), KEY)
    rmSync(file)
  }
  assert.match(problemsOf({ MASTER_KEY_FILE: cwd })[0] ?? '', /is not a regular file/)
  const [problem = ''] = problemsOf({ MASTER_KEY_FILE: keyFile('words', 0o600, 'hunter2') })
  assert.match(problem, /^MASTER_KEY_FILE does not give one or more 32-byte keys/)
  assert.ok(!problem.includes('hunter2'))
})

test('OPER-82 a key command runs without the secrets of the service', () => {
  const secrets = {
    DATABASE_URL: 'postgres://florin:hunter2@db/florin',
    SMTP_URL: 'smtp://user:hunter2@mail',
    SMS_GATEWAY_URL: 'https://user:hunter2@sms',
    FLORIN_OPERATOR_TOKEN: 'hunter2',
    PGPASSWORD: 'hunter2',
  }
  const command = `if env | grep -q hunter2; then exit 1; fi; test "$VAULT" = kept && echo ${KEY}`
  assert.equal(keyOf({ ...secrets, VAULT: 'kept', MASTER_KEY_COMMAND: command }), KEY)
})

test('OPER-82 a key command that fails is refused with its status and first line, never its output', () => {
  const failing = 'echo hunter2; echo "no such secret" >&2; echo more >&2; exit 3'
  assert.deepEqual(problemsOf({ MASTER_KEY_COMMAND: failing }), [
    'MASTER_KEY_COMMAND ended with exit status 3: no such secret',
  ])
  assert.deepEqual(problemsOf({ MASTER_KEY_COMMAND: 'kill -9 $$' }), [
    'MASTER_KEY_COMMAND ended with signal SIGKILL.',
  ])
  const [form = ''] = problemsOf({ MASTER_KEY_COMMAND: 'echo hunter2' })
  assert.match(form, /^MASTER_KEY_COMMAND does not give/)
  assert.ok(!form.includes('hunter2'))
})

test('OPER-82 a key command prints 8 KiB at most and ends in time', () => {
  const exactly = `printf '%8192s' ${KEY}`
  assert.equal(keyOf({ MASTER_KEY_COMMAND: exactly }), KEY)
  const tooMuch = ['MASTER_KEY_COMMAND printed more than 8 KiB.']
  assert.deepEqual(problemsOf({ MASTER_KEY_COMMAND: `printf '%8193s' ${KEY}` }), tooMuch)
  assert.deepEqual(problemsOf({ MASTER_KEY_COMMAND: 'cat /dev/zero' }), tooMuch)
  const late = runKeyCommand('exec sleep 60', { PATH: path }, { timeoutMs: 300 })
  assert.deepEqual(late, { problem: 'MASTER_KEY_COMMAND did not end within 0.3 s.' })
})
