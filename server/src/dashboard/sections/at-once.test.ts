import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text } from '../../../test/kit/api.ts'
import { fund } from '../../../test/kit/cards.ts'
import { openDashboard } from '../../../test/kit/pages/dashboard.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { meetAtRow } from '../../../test/kit/database/meet-at-row.ts'
import { payer, platformAccount } from '../../../test/kit/payments.ts'
import {
  arrived,
  failedRefund,
  lostFactor,
  newTill,
  shortPurchase,
  wallet,
} from '../../../test/kit/setups/waiting-work.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'

const kit = await startOwnKit()
const live = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
const sandbox = await kit.platform({ currencies: ['USD'] })
const till = await newTill(kit, live)
const board = await openDashboard(kit)
const anna = await board.signIn('anna')
const bert = await board.signIn('bert')

async function heldDeposit(): Promise<string> {
  const { account } = await payer(sandbox, { funded: 0 })
  const own = await sandbox.api.get('/customers/internal-accounts', { query: { limit: 100 } })
  const held = items(own.body.data).find(({ id }) => id === account)
  const [instruction] = items(held?.fundingPaymentInstructions)
  const reference = text(instruction?.accountOrWalletInfo.reference)
  return arrived(kit, { amount: 700, reference })
}

async function coveredPurchase(): Promise<string> {
  const { card, id } = await shortPurchase(sandbox)
  await fund(sandbox, card.accountId, 250)
  return id
}

type AuditAction = readonly [
  section: string,
  action: string,
  make: () => Promise<string>,
  table: Sql,
  fields?: () => Promise<Record<string, string>>,
]

/** Each button that can be pressed once, how what waits for it comes about, and where those who press it meet. */
const AUDITED_ACTIONS: readonly AuditAction[] = [
  ['settlements', 'confirm', () => till.payOut(), sql`transactions`],
  [
    'settlements',
    'fail',
    () => till.payOut(),
    sql`transactions`,
    async () => ({ reason: 'ACCOUNT_INVALID' }),
  ],
  ['refunds', 'retry', async () => (await failedRefund(sandbox)).id, sql`transactions`],
  [
    'deposits',
    'attribute',
    () => arrived(kit, { amount: 100 }),
    sql`deposits`,
    async () => ({ to: await platformAccount(sandbox, 'USD') }),
  ],
  ['deposits', 'return', () => arrived(kit, { amount: 100 }), sql`deposits`],
  ['deposits', 'release', heldDeposit, sql`deposits`],
  ['ownership', 'approve', () => wallet(live, 'Greta Wallet'), sql`external_accounts`],
  ['ownership', 'reject', () => wallet(live, 'Greta Wallet'), sql`external_accounts`],
  ['sca-resets', 'approve', () => lostFactor(kit, live, 'Greta Factor'), sql`sca_resets`],
  ['sca-resets', 'reject', () => lostFactor(kit, live, 'Greta Factor'), sql`sca_resets`],
  ['card-exceptions', 'retry-pull', coveredPurchase, sql`card_transactions`],
]

for (const [section, action, make, table, fields] of AUDITED_ACTIONS) {
  test(`CORE-44 CORE-83 ${section}: of two who ${action} at once one does, and the other is told`, async () => {
    const id = await make()
    const path = `/${section}/${encodeURIComponent(id)}` as const
    const page = await anna.get(path)
    const seen = /name="seen" value="([^"]*)"/.exec(page.text)?.[1] ?? ''
    const typed = { seen, ...(await fields?.()) }
    const row = sql`select 1 from ${table} where id = ${id.split(':')[1] ?? ''}::uuid for update`
    const answers = await meetAtRow(kit, row, () =>
      [anna, bert].map((who) => who.post(`${path}/${action}`, typed)),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 409])
    const refused = answers.find(({ status }) => status === 409)
    assert.match(refused?.text ?? '', /Nothing was changed|Already handled or expired/)
  })
}
