import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus } from '../../../../test/kit/api.ts'
import { ADDRESS, createCustomer } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { watchRoundTrips } from '../../../../test/kit/database/round-trips.ts'

const kit = await startOwnKit()
const watch = watchRoundTrips()
after(() => watch.stop())

test('a customer with everything costs three round trips: look-ups, free account numbers, commit', async () => {
  const p = await kit.platform({ kind: 'UNREGULATED' })
  const domain = expectStatus(await p.api.get('/config'), 200).umaDomain
  await createCustomer(p, {
    platformCustomerId: 'p1',
    umaAddress: `$ana@${domain}`,
    region: 'DE',
    email: 'ana@example.com',
    phoneNumber: '+4930123456',
    fullName: 'Ana Souza',
    address: ADDRESS,
    idType: 'SSN',
    identifier: '111-22-3333',
    endUserTermsConsent: {
      acceptedAt: '2026-01-01T00:00:00Z',
      ipAddress: '192.0.2.1',
      termsVersion: 'V1',
      acceptanceMethod: 'CHECKBOX',
    },
  })
  const trips = watch.transactionWith(/insert into customers/)
  assert.equal(trips.length, 3, JSON.stringify(trips, null, 2))
  assert.equal(trips.at(-1)?.at(-1), 'commit')
})

test('a customer without account numbers costs two round trips', async () => {
  const p = await kit.platform({ kind: 'REGULATED', environment: 'PRODUCTION' })
  await createCustomer(p, { fullName: 'Ana Souza' })
  assert.equal(watch.transactionWith(/insert into customers/).length, 2)
})
