import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items } from '../../../test/kit/api.ts'
import { openDashboard } from '../../../test/kit/pages/dashboard.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { mustParseId, newUuid } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { commands } from '../../operator/commands.ts'
import { sections } from '../sections.ts'

const kit = await startOwnKit()
const platform = await kit.platform({ name: 'Acme Pay' })
const board = await openDashboard(kit)
const anna = await board.signIn('anna')

/** A job that nobody runs, dead. */
async function deadJob(name: string, error: string): Promise<string> {
  const id = newUuid()
  const owner = mustParseId('platform', platform.platformId)
  await kit.florin.deps.db.transaction((tx) =>
    tx.run(
      sql`insert into jobs (platform_id, id, name, payload, due_at, state, attempts, last_error, created_at)
          values (${owner}, ${id}, ${name}, '{}', ${new Date('2999-01-01')}, 'DEAD', 10, ${error}, ${new Date(0)})`,
    ),
  )
  return id
}

test('CORE-83 everything that a section asks for is a command, and takes what it is given', () => {
  for (const { list, detail, actions = [] } of sections) {
    const { command, byPlatform, filters = [], limit, older, views = [] } = list
    const given = [
      ...filters.map(({ name }) => name),
      ...views.flatMap(({ options = {} }) => Object.keys(options)),
      ...(byPlatform ? ['platform'] : []),
      ...(limit === undefined ? [] : ['limit']),
      ...(older ? [older.option] : []),
    ]
    assert.ok(commands.includes(command), command.name)
    for (const name of given) assert.ok(command.options?.[name], `${command.name} --${name}`)
    if (detail?.command) assert.ok(commands.includes(detail.command), detail.command.name)
    for (const action of [...actions, ...(detail?.actions ?? [])]) {
      assert.ok(commands.includes(action.command), action.command.name)
      for (const { name } of (action.fields ?? []).filter(({ isArgument }) => !isArgument)) {
        assert.ok(action.command.options?.[name], `${action.command.name} --${name}`)
      }
    }
  }
})

test('CORE-83 CORE-92 a dead job is shown with its error and retried under the name of who signed in', async () => {
  const id = await deadJob('nobody.runs.this', 'the <rail> did not answer')
  const list = await anna.get('/jobs')
  assert.ok(list.text.includes('nobody.runs.this') && list.text.includes('the &lt;rail&gt; did'))
  assert.ok(!(await anna.get('/jobs?view=waiting')).text.includes('nobody.runs.this'))
  const answer = await anna.post(`/jobs/${id}/retry`)
  assert.equal(answer.status, 303)
  const page = await anna.get(answer.headers.get('location') ?? '')
  assert.match(page.text, /The job runs again\./)
  assert.match(page.text, /Waiting<\/span>/)
  assert.ok(!(await anna.get('/jobs')).text.includes('nobody.runs.this'))
  const [entry] = items(await operate(kit, 'audit list', '--resource', id))
  assert.deepEqual([entry?.['actor'], entry?.['action']], ['operator:anna', 'jobs retry'])
  assert.equal((await anna.get('/jobs/no-such-job')).status, 404)
  assert.equal((await anna.post(`/jobs/${newUuid()}/retry`)).status, 404)
})

test('CORE-92 the audit is filtered, and older entries follow page by page', async () => {
  for (let made = 0; made < 60; made += 1) await board.link(`guest ${made}`)
  const first = await anna.get('/audit?action=dashboard+link')
  assert.ok(first.text.includes('guest 59') && !first.text.includes('guest 9<'))
  const [, older = ''] = /href="([^"]+)" rel="next"/.exec(first.text) ?? []
  const second = await anna.get(older.replaceAll('&amp;', '&'))
  assert.ok(second.text.includes('guest 9<') && !second.text.includes('guest 59'))
  const byAnna = await anna.get('/audit?actor=operator:anna')
  assert.ok(byAnna.text.includes('dashboard sign-in') && !byAnna.text.includes('guest 59'))
  await platform.api.post('/tokens', { name: 'one', permissions: ['VIEW'] })
  assert.ok(!(await anna.get('/audit')).text.includes('createApiToken'), 'operators first')
  assert.match((await anna.get('/audit?view=all')).text, /Token:…/)
  assert.equal((await anna.get('/audit?before=x')).status, 400)
})

test('CORE-83 audit list filters and pages on the command line too', async () => {
  const lines = async (...options: string[]) => items(await operate(kit, 'audit list', ...options))
  const [newest, next] = await lines('--action', 'dashboard link', '--limit', '2')
  assert.ok(newest && next)
  const rest = await lines(
    '--before',
    String(newest['entryId']),
    '--action',
    'dashboard link',
    '--limit',
    '1',
  )
  assert.deepEqual(rest, [next])
  await assert.rejects(operate(kit, 'audit list --before x'), /--before is the id of an entry/)
})

test('CORE-83 dashboard link prints an address, refuses blank names, and says where there is none', async () => {
  await assert.rejects(operate(kit, 'dashboard link'), /ADMIN_PORT is 0/)
  for (const name of [' ', 'a\u0007b', 'x'.repeat(65)]) {
    await assert.rejects(operate(kit, 'dashboard link', '--name', name), /--name is 1 to 64/)
  }
})
