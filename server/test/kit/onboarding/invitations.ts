import type { UmaInvitation } from '../../../../sdk/src/index.ts'
import { expectStatus, type Shown } from '../api.ts'
import { createCustomer } from '../customers.ts'
import type { TestPlatform } from '../florin.ts'

/** Invites in the name of a customer, a new one unless the body names its address. */
export async function createInvitation(
  platform: TestPlatform,
  body: Readonly<Record<string, unknown>> = {},
) {
  const inviterUma = body['inviterUma'] ?? (await createCustomer(platform)).umaAddress
  return expectStatus(await platform.api.post('/invitations', { inviterUma, ...body }), 201)
}

export async function readInvitation({ api }: TestPlatform, { code }: Shown<UmaInvitation>) {
  return expectStatus(await api.get(`/invitations/${code}`), 200)
}

/** An instant from now on, in real time. */
export const inSeconds = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000).toISOString()
