import { test } from 'node:test'
import { expectError } from '../../../test/kit/api.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { startKit } from '../../../test/kit/florin.ts'

const kit = await startKit()

test('CONT-2 production without mail server and gateway answers 501, after all other checks', async () => {
  const p = await kit.platform({ kind: 'UNREGULATED', environment: 'PRODUCTION' })
  const contact = { email: 'eva@example.com', phoneNumber: '+4930123456' }
  const german = await createCustomer(p, { region: 'DE', ...contact })
  const norwegian = await createCustomer(p, { region: 'NO', ...contact })
  for (const channel of ['email', 'phone']) {
    const path = `/customers/${german.id}/verify-${channel}` as const
    expectError(await p.api.post(path), 501, 'NOT_IMPLEMENTED')
    expectError(await p.api.post(`/customers/x/verify-${channel}`), 404, 'USER_NOT_FOUND')
  }
  expectError(await p.api.post(`/customers/${norwegian.id}/verify-phone`), 409, 'CONFLICT')
})
