/** A sandbox platform whose cards are issued by a provider that the test plays, so that its clock can be moved. */
import assert from 'node:assert/strict'
import { mustParseId } from '../../../src/kernel/ids.ts'
import { listExceptions, type Exception } from '../../../src/orders/exceptions/store.ts'
import { expectStatus, text } from '../api.ts'
import { newCardholder, type Cardholder } from '../cards.ts'
import { eventually } from '../eventually.ts'
import type { Kit, TestPlatform } from '../florin.ts'
import {
  scriptedProvider,
  type Received,
  type Reply,
  type ScriptedProvider,
} from '../outside/scripted-provider.ts'

export const ISSUED_CARD = {
  brand: 'MASTERCARD',
  last4: '4242',
  expMonth: 12,
  expYear: 2099,
  issuerRef: 'iss-1',
} as const

/** What a processor answers that issues every card at once, and does what it is asked. */
export function issueAll({ path, body }: Received): Reply {
  if (path !== '/orders') return { status: 404, json: {} }
  const processorRef = `proc-${text(body['cardId'])}`
  const issued = { decision: 'ISSUED', card: { ...ISSUED_CARD, processorRef } }
  return { json: { state: 'DECIDED', ...(text(body['type']) === 'CARD_ISSUE' && issued) } }
}

export type CardSetup = Readonly<{ platform: TestPlatform; provider: ScriptedProvider }>

export async function cardProvider(kit: Kit, options = ''): Promise<CardSetup> {
  const platform = await kit.platform()
  const registered = `--environment SANDBOX --platform ${platform.platformId} --ports cards`
  const provider = await scriptedProvider(kit, `${registered} ${options}`.trim())
  provider.answer(issueAll)
  return { platform, provider }
}

/** Asks for a card on the holder's account; the body of the 201. */
export async function askForCard(
  { api }: TestPlatform,
  { customerId, accounts }: Cardholder,
  body: object = {},
) {
  const asked = { customerId, form: 'VIRTUAL', fundingSource: accounts['USD'], ...body }
  return expectStatus(await api.post('/cards', asked), 201)
}

export const readCard = async ({ api }: TestPlatform, id: string) =>
  expectStatus(await api.get(`/cards/${id}`), 200)

/** The card, once it has this state. */
export const cardInState = (platform: TestPlatform, id: string, state: string) =>
  eventually(async () => {
    const card = await readCard(platform, id)
    assert.equal(card.state, state)
    return card
  })

/** The open exceptions of the platform, oldest first. */
export const exceptionsOf = ({ florin }: Kit, { platformId }: TestPlatform): Promise<Exception[]> =>
  listExceptions(florin.deps.db.read, {
    isAll: false,
    platformIds: [mustParseId('platform', platformId)],
    after: null,
    limit: 100,
  })

/** A holder with money and an active card of the provider. */
export async function outsideCard(
  setup: CardSetup,
  { funds = 50_000, ...body }: Readonly<{ funds?: number; [field: string]: unknown }> = {},
) {
  const { platform } = setup
  const holder = await newCardholder(platform, { funds })
  const asked = await askForCard(platform, holder, body)
  const card = await cardInState(platform, asked.id, 'ACTIVE')
  return { ...holder, card, id: card.id, processorRef: text(card.processorRef) }
}
