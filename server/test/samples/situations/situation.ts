import { operations } from '../../../src/app/operations.ts'
import type { Operation } from '../../../src/infra/http/operation.ts'
import { expectStatus, text } from '../../kit/api.ts'
import { switchPlatform } from '../../kit/accounts/external-accounts.ts'
import { BUSINESS, createCustomer } from '../../kit/customers.ts'
import type { Kit, TestPlatform } from '../../kit/florin.ts'
import { connect, openReceiver } from '../../kit/outside/connect-receiver.ts'
import type { DeviceKey } from '../../kit/wallets/client.ts'
import { addCurrency } from '../../kit/wallets/wallets.ts'
import { requiredQuery } from '../../contract/calls.ts'
import { ownBody, ownedIn } from '../../contract/owned-resources.ts'
import { namesIn } from '../../contract/sample.ts'

/** A request that an operation takes now: everything that it names is there. */
export type Situation = Readonly<{
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: unknown
  parts?: readonly (readonly [name: string, value: string | File])[]
  /** Whose credentials are sent, where it is not the platform of all samples. */
  platform?: TestPlatform
  agentToken?: string
  /** Signs for the wallet that the request is about. */
  device?: DeviceKey
}>

export type SampleSetting = Readonly<{
  kit: Kit
  platform: TestPlatform
  /** Verifies contacts itself, and has to prove that wallets are its own. */
  unregulated: TestPlatform
  endpoint: string
}>

/** Makes what one request needs; each call makes it again, so that a request can be sent once more. */
export type Prepare = (setting: SampleSetting) => Promise<Situation>

/** A platform whose endpoint answers, and leaves payments to be approved by a call. */
export async function newSetting(kit: Kit): Promise<SampleSetting> {
  const platform = await kit.platform({ name: 'Samples' })
  await addCurrency(platform, 'USDB')
  const receiver = await openReceiver()
  const endpoint = await connect(platform, receiver)
  receiver.answerWith(({ event }, response) => {
    response.writeHead(event.type === 'INCOMING_PAYMENT.PENDING' ? 202 : 200).end()
  })
  const unregulated = await kit.platform({ name: 'Samples', kind: 'UNREGULATED' })
  await switchPlatform(kit, unregulated, { travelRule: true })
  return { kit, platform, unregulated, endpoint }
}

/** Where nothing else is said: resources of the platform in the place of every id. */
export async function usualSituation(
  operation: Operation,
  { platform }: SampleSetting,
): Promise<Situation> {
  const { path, body, form, example } = operation
  return {
    params: namesIn(path).length > 0 ? await ownedIn(path, platform) : {},
    query: await requiredQuery(operation, platform),
    ...(body && !form && example !== undefined && { body: await ownBody(example, platform) }),
  }
}

export function operationOf(id: string): Operation {
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`There is no operation ${id}.`)
  return found
}

let count = 0

/** Different each time, as references and addresses have to be. */
export const nextNumber = (): number => (count += 1)

export const newBusiness = async (platform: TestPlatform): Promise<string> =>
  (await createCustomer(platform, BUSINESS)).id

export async function firstEvent({ api }: TestPlatform): Promise<string> {
  const [event] = expectStatus(await api.get('/events', { query: { limit: 1 } }), 200).data
  return text(event?.id)
}
