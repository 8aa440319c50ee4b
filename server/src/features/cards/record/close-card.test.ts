import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus } from '../../../../test/kit/api.ts'
import { cardActions, issueCard, newCardholder } from '../../../../test/kit/cards.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { watchRoundTrips } from '../../../../test/kit/database/round-trips.ts'

const kit = await startOwnKit()
const watch = watchRoundTrips()
after(() => watch.stop())

async function deleteHolderOf(count: number): Promise<number> {
  const p = await kit.platform({ currencies: ['USD'] })
  const holder = await newCardholder(p, { funds: 0 })
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push((await issueCard(p, holder)).id)
  expectStatus(await p.api.delete(`/customers/${holder.customerId}`), 200)
  const statements = watch.transactionWith(/update cards/).flat().length
  for (const id of ids) assert.equal((await cardActions(p, id).read()).state, 'CLOSED')
  const emitted = (await listEvents(p, 'CARD.STATE_CHANGE')).slice(0, count)
  assert.deepEqual(emitted.map(({ data }) => data.id).toSorted(), ids.toSorted())
  assert.ok(emitted.every(({ data }) => String(data.stateReason) === 'CLOSED_BY_SERVICE'))
  return statements
}

test('CARD-31 many cards of a customer are closed by as many statements as one', async () => {
  assert.equal(await deleteHolderOf(6), await deleteHolderOf(1))
})
