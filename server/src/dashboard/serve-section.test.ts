import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client, expectStatus, items } from '../../test/kit/api.ts'
import { openSections, visitorWith, type Shown } from '../../test/kit/pages/dashboard.ts'
import { startOwnKit } from '../../test/kit/florin.ts'
import { operate } from '../../test/kit/operator.ts'
import { newScaCustomer } from '../../test/kit/sca/sca.ts'
import { invited } from '../../test/kit/setups/operators.ts'
import { Type } from '../infra/http/schema/type.ts'
import { PAGE_LIMIT_MAX } from '../kernel/page.ts'
import { textColumn, textIn } from './cells/cells.ts'
import type { Section } from './section.ts'
import { platformCommands } from '../operator/commands/service/platforms.ts'
import { tokenCommands } from '../operator/commands/service/tokens.ts'
import { scaCommands } from '../operator/commands/customers/sca.ts'
import { eventCommands } from '../operator/commands/service/events.ts'
import { defineCommand, record, type Answer } from '../operator/command.ts'

/** A section whose things have a page of their own, and something that is done to none of them. */
type Tenant = Answer<typeof platformCommands.list>[number]
type Page = Answer<typeof platformCommands.show>
type Reset = Answer<typeof scaCommands.list>[number]

const tenants: Section<Tenant, Page> = {
  path: 'tenants',
  title: 'Tenants',
  about: 'For the test.',
  idOf: (row) => textIn(row, 'platformId'),
  list: {
    command: platformCommands.list,
    caption: 'Tenants',
    columns: [textColumn('Name', 'name')],
    empty: 'None.',
  },
  actions: [
    {
      name: 'create',
      label: 'Create',
      command: platformCommands.create,
      fields: [
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'kind', label: 'Kind' },
        { name: 'currencies', label: 'Currencies' },
        { name: 'skip-verification-paperwork', label: 'By data alone', kind: 'switch' },
      ],
      done: 'Made.',
      showsAnswer: true,
    },
  ],
  detail: {
    command: platformCommands.show,
    title: (row) => textIn(row, 'name'),
    facts: [textColumn('By data alone', 'skipVerificationPaperwork')],
    actions: [
      {
        name: 'token',
        label: 'Create a token',
        command: tokenCommands.create,
        args: () => [],
        options: (row) => ({ platform: textIn(row, 'platformId') }),
        fields: [
          { name: 'name', label: 'Name' },
          { name: 'permissions', label: 'Permissions' },
        ],
        done: 'Made.',
        showsAnswer: true,
      },
    ],
  },
}

/** A section whose things are known from its list alone. */
const waiting: Section<Reset> = {
  path: 'waiting',
  title: 'Waiting',
  about: 'For the test.',
  idOf: (row) => textIn(row, 'resetId'),
  list: {
    command: scaCommands.list,
    caption: 'Waiting',
    columns: [textColumn('Factor', 'factor')],
    empty: 'None.',
  },
  detail: {
    title: (row) => `Reset of ${textIn(row, 'factor')}`,
    actions: [
      { name: 'approve', label: 'Approve', command: scaCommands.approve, done: 'Approved.' },
      { name: 'reject', label: 'Reject', command: scaCommands.reject, done: 'Rejected.' },
    ],
  },
}

/** Shows its list for one platform only. */
const emitted: Section<Answer<typeof eventCommands.list>[number]> = {
  path: 'told',
  title: 'Told',
  about: 'For the test.',
  list: {
    command: eventCommands.list,
    caption: 'Told',
    columns: [textColumn('Type', 'type')],
    empty: 'Nothing was told.',
    needsPlatform: 'Choose a platform.',
  },
}

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const board = await openSections(kit, [tenants, waiting, emitted])
const anna = await board.signIn('anna')

const shown = ({ text: page }: Shown, name: string): string =>
  new RegExp(`${name}</dt>\\s*<dd>\\s*<code>([^<]+)<`).exec(page)?.[1] ?? ''

test('CORE-83 CORE-92 what is done to nothing in particular has a form, and its answer is shown once', async () => {
  const path = '/tenants/-/create'
  assert.match((await anna.get('/tenants')).text, new RegExp(`href="${path}"`))
  assert.match((await anna.get(path)).text, /<label for="create-name">Name<\/label>/)
  const fields = { name: 'Made <here>', kind: 'UNREGULATED', currencies: 'USD' }
  const refused = await anna.post(path, { ...fields, currencies: 'USD,XXX' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Nothing was changed[^]*Unknown currencies: XXX/)
  assert.match(refused.text, /value="Made &lt;here&gt;"/)
  const missing = await anna.post(path, { kind: 'UNREGULATED' })
  assert.match(missing.text, /This has to be filled in: name, currencies\./)
  const made = await anna.post(path, { ...fields, 'skip-verification-paperwork': 'on' })
  assert.equal(made.status, 200)
  const credentials = {
    clientId: shown(made, 'Client id'),
    clientSecret: shown(made, 'Client secret'),
  }
  expectStatus(await client(kit.baseUrl, credentials).get('/config'), 200)
  const id = shown(made, 'Platform id')
  const page = await anna.get(`/tenants/${encodeURIComponent(id)}`)
  assert.match(page.text, /<h1>Made &lt;here&gt;<\/h1>/)
  assert.match(page.text, /By data alone<\/dt>\s*<dd>\s*true/)
  assert.ok(!page.text.includes(credentials.clientSecret))
  const [entry] = items(await operate(kit, 'audit list', '--platform', id))
  assert.deepEqual([entry?.['actor'], entry?.['action']], ['operator:anna', 'platforms create'])
})

test('CORE-83 an action gives its command what the page knows', async () => {
  const { platformId } = await kit.platform()
  const path = `/tenants/${encodeURIComponent(platformId)}/token` as const
  const made = await anna.post(path, {
    name: 'reader',
    permissions: 'VIEW',
    platform: 'Platform:x',
  })
  assert.equal(made.status, 200)
  const { clientId, clientSecret } = {
    clientId: shown(made, 'Client id'),
    clientSecret: shown(made, 'Client secret'),
  }
  expectStatus(await client(kit.baseUrl, { clientId, clientSecret }).get('/config'), 200)
  const refused = await anna.post(path, { name: 'reader', permissions: 'ALL' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Permissions: VIEW/)
})

test('SCA-34 an item that only a list knows is decided once; a second operator reads that it was already handled', async () => {
  const sca = await newScaCustomer(await kit.platform({ environment: 'PRODUCTION' }))
  const started = expectStatus(await sca.post('/factors/reset', { factor: 'SMS_OTP' }), 201)
  const link = new URL(started.verificationLink)
  await fetch(new URL(`${link.pathname}/submit${link.search}`, kit.baseUrl), { method: 'POST' })
  const path = `/waiting/${encodeURIComponent(started.resetId)}` as const
  assert.ok((await anna.get('/waiting')).text.includes(`href="${path}"`))
  assert.match((await anna.get(path)).text, /<h1>Reset of SMS_OTP<\/h1>/)
  const decided = await anna.post(`${path}/approve`)
  assert.deepEqual([decided.status, decided.headers.get('location')], [303, '/waiting'])
  assert.match((await anna.get('/waiting')).text, /role="status">\s*Approved\./)
  const late = await anna.post(`${path}/reject`)
  assert.equal(late.status, 409)
  assert.match(late.text, /Already handled or expired/)
  const state = await sca.get(`/factors/reset/${started.resetId}`)
  assert.equal(expectStatus(state, 200).status, 'LIVENESS_PASSED')
  assert.equal((await anna.get(path)).status, 404)
})

test('CORE-83 a list of one platform asks for it first', async () => {
  assert.match((await anna.get('/told')).text, /Choose a platform\./)
  const { platformId } = await kit.platform()
  const chosen = await anna.get(`/told?platform=${encodeURIComponent(platformId)}`)
  assert.match(chosen.text, /Nothing was told\./)
})

test('OPER-2 OPER-121 a file that is being sent ends with the access of the operator', async () => {
  const eve = await invited(kit, 'Eve', 'VIEWER')
  let pages = 0
  const endless = defineCommand({
    name: 'rows list',
    access: { roles: ['VIEWER'] },
    about: 'For the test.',
    options: { before: { about: 'Older.' }, limit: { about: 'At most.' } },
    answers: Type.Array(record({ id: Type.String() })),
    async run() {
      pages += 1
      if (pages === 3) await operate(kit, 'operators disable Eve')
      assert.ok(pages < 9, 'the file goes on')
      return Array.from({ length: PAGE_LIMIT_MAX }, (_, n) => ({ id: `${pages}-${n}` }))
    },
  })
  const rows: Section<{ id: string }> = {
    path: 'rows',
    title: 'Rows',
    about: 'For the test.',
    list: {
      command: endless,
      caption: 'Rows',
      columns: [textColumn('Id', 'id')],
      empty: 'None.',
      older: { option: 'before', of: ({ id }) => id },
    },
  }
  const board = await openSections(kit, [rows as Section])
  const visitor = visitorWith(`florin_dashboard=${eve.session}`, board)
  await assert.rejects(visitor.get('/rows.csv'), /terminated/)
  assert.equal(pages, 3)
})
