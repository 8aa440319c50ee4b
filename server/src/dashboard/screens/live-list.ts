/** An open list hears of changes by server-sent events: its rows as they are then (OPER-125). */
import type { FastifyInstance } from 'fastify'
import type { Streams } from '../../infra/http/edge/streams.ts'
import { fail } from '../../kernel/errors.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { personOf } from '../../operator/access/caller.ts'
import { mustBeCallable } from '../../operator/access/must-be-allowed.ts'
import type { LiveList } from '../../operator/queries/live/change-store.ts'
import type { Reading, Watch } from '../../operator/queries/live/watch.ts'
import { sessionOf } from '../gate.ts'
import { HEADERS } from '../layout.ts'
import type { Gate, Section, Visit } from '../section.ts'
import { freshRows } from './list-page.ts'

export type Live = Readonly<{ watch: Watch; streams: Streams }>

/** When a reader comes back after the end of a stream. */
const RETRY = 'retry: 3000\n\n'

type Opened = Readonly<{ section: Section; visit: Visit; reading: Reading }>

/** Rows are JSON, which has no line breaks. Being shown them is no visit: the session may fall idle meanwhile. */
async function* framesOf(
  watch: Watch,
  { section, visit, reading }: Opened,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield RETRY
  for await (const isChanged of watch.changesOf(reading, signal)) {
    const now = visit.deps.clock.now()
    yield isChanged
      ? `data: ${JSON.stringify((await freshRows(section, { ...visit, now })).html)}\n\n`
      : ':\n\n'
  }
}

type LiveSection = Section & Readonly<{ list: Readonly<{ live: LiveList }> }>

export const isLive = (section: Section): section is LiveSection => section.list.live !== undefined

export function serveLive(
  scope: FastifyInstance,
  { gate, watch, streams }: Live & Readonly<{ gate: Gate }>,
  section: LiveSection,
): void {
  const { path, list } = section
  scope.get(`/${path}/-/live`, async (request, reply) => {
    const visit = await gate.visit(request)
    const { caller, platformId } = visit
    mustBeCallable(caller, list.command)
    const { digest } = sessionOf(request) ?? fail('UNAUTHORIZED')
    const own = platformId === undefined ? null : [mustParseId('platform', platformId)]
    const platformIds = own ?? caller.platforms ?? null
    const reading = { list: list.live, platformIds, digest, caller }
    return streams.send(reply.headers(HEADERS), {
      owner: personOf(caller),
      stream: (signal) => framesOf(watch, { section, visit, reading }, signal),
      // The watch ends the stream with its session.
      isAllowed: async () => true,
    })
  })
}
