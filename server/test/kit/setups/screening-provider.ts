import assert from 'node:assert/strict'
import type { Body } from '../api.ts'
import { eventually } from '../eventually.ts'
import type { Kit, TestPlatform } from '../florin.ts'
import { scriptedProvider, type ScriptedProvider } from '../outside/scripted-provider.ts'

export type Screener = Readonly<{
  provider: ScriptedProvider
  /** The newest order about a subject, once it has come. */
  orderOf(subject: string): Promise<Body>
  /** How often it was asked about a subject. */
  countOf(subject: string): number
  /** Reports a verdict on an order, or on the newest about a subject. */
  decide(about: Body | string, verdict: string, matches?: readonly object[]): Promise<Body>
}>

export const MATCH = {
  list: 'OFAC SDN',
  entryId: '4711',
  name: 'J. Doe',
  score: 97.5,
  subject: 'SUBJECT',
}

type Options = Readonly<{ ports?: string; options?: string; environment?: string }>

/** A screening provider of a platform, of the sandbox unless said otherwise, that the test plays. */
export async function screeningProvider(
  kit: Kit,
  { platformId }: TestPlatform,
  { ports = 'screening', options = '', environment = 'SANDBOX' }: Options = {},
): Promise<Screener> {
  const line = `--environment ${environment} --platform ${platformId} --ports ${ports} ${options}`
  return screenerOf(await scriptedProvider(kit, line.trim()))
}

/** What a provider that the test plays is asked to screen. */
export function screenerOf(provider: ScriptedProvider): Screener {
  const about = (subject: string): readonly Body[] =>
    provider.orders().filter((one) => String(one['subject']) === subject)
  const orderOf: Screener['orderOf'] = (subject) =>
    eventually(() => {
      const order = about(subject).at(-1)
      assert.ok(order, `${subject} is asked about`)
      return order
    })
  return {
    provider,
    orderOf,
    countOf: (subject) => about(subject).length,
    async decide(of, verdict, matches = []) {
      const order = typeof of === 'string' ? await orderOf(of) : of
      const said = { state: 'DECIDED', verdict, listVersion: '1', matches }
      return provider.report(order, 1, said)
    },
  }
}
