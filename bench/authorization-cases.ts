import { randomInt } from 'node:crypto'
import { mustParseId, newUuid } from '../server/src/kernel/ids.ts'
import { systemClock } from '../server/src/kernel/clock.ts'
import { signMessage } from '../server/src/providers/http/sign-message.ts'
import { driveTwin, seedCards, type BenchCard } from './card-cases.ts'
import type { Checkout } from './service/checkout.ts'
import { openConnection, requestBytes } from './http-client.ts'
import { closedLoop, type Case, type Measured } from './measure.ts'
import { metered } from './service/spending.ts'

const WRITERS = 64
const P99_MAX_MS = 100
const DURATION_MS = 3_000
/** In its first half minute a service still compiles what no request has needed yet. */
const WARM_UP_ROUNDS = 7
/** More than a round sends. Signed before it begins: the generator shares the cores with what it measures. */
const SIGNED = 12_000

/** A provider of cards that is registered for the platform. */
type Processor = Readonly<{ providerId: string; secret: string }>

const ADD_PROCESSOR =
  'providers add --name processor --kind http --url http://127.0.0.1:9 --ports cards --environment SANDBOX'

/** Authorizations as a processor sends them: signed, over HTTP, each with a reference of its own (PROV-114). */
export async function authorizationCases(checkout: Checkout): Promise<Case[]> {
  const { databaseUrl, credentials, origin } = checkout
  const processor = (await checkout.florin(ADD_PROCESSOR)) as Processor
  const platformId = mustParseId('platform', credentials.platformId)
  const providerId = mustParseId('provider', processor.providerId)
  const cards = await seedCards(databaseUrl, platformId, { providerId })
  const pick = (): BenchCard => cards[randomInt(cards.length)] as BenchCard
  return [
    {
      name: 'card authorizations by a processor, 1000 accounts, 64 connections',
      p99MaxMs: P99_MAX_MS,
      warmUpRounds: WARM_UP_ROUNDS,
      ours: metered(checkout, 1, () => drive(origin, processor, pick)),
      yardstick: () => driveTwin(databaseUrl, { platformId, pick }),
      against: 'the rows of the decision by one stored function, without HTTP or signature',
    },
  ]
}

async function drive(
  origin: string,
  processor: Processor,
  pick: () => BenchCard,
): Promise<Measured> {
  const port = Number(new URL(origin).port)
  const connections = await Promise.all(Array.from({ length: WRITERS }, () => openConnection(port)))
  const signed = Array.from({ length: SIGNED }, () => signedRequest(processor, pick()))
  const measured = await closedLoop(WRITERS, DURATION_MS, async (writer) => {
    const connection = connections[writer] as (typeof connections)[number]
    const { status, body } = await connection.send(signed.pop() as Buffer)
    if (status !== 200) throw new Error(`answered ${status} ${body.toString()}`)
  })
  connections.forEach((connection) => connection.close())
  return measured
}

function signedRequest({ providerId, secret }: Processor, { id }: BenchCard): Buffer {
  const at = systemClock.now()
  const body = {
    networkReference: newUuid(),
    kind: 'AUTHORIZATION',
    cardId: `Card:${id}`,
    amount: { amount: 1, currency: 'USD' },
    merchant: { descriptor: 'BENCH', mcc: '5814', country: 'US' },
    at: at.toISOString(),
  }
  const message = { id: newUuid(), at, body: JSON.stringify(body) }
  const path = `/providers/${providerId}/authorizations`
  return requestBytes({ method: 'POST', path, headers: signMessage(message, [secret]), body })
}
