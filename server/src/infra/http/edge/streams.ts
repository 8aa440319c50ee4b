import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts'
import { failRetryLater } from '../../../kernel/errors.ts'
import { EVERY_ANSWER, type Reply } from '../reply.ts'

/** Open streams of one platform or operator, and of all of them, in this process (HOOK-104). */
const PER_OWNER_MAX = 10
const PER_PROCESS_MAX = 100
const FULL_RETRY_SECONDS = 5
/** How often the permission of an open stream is checked (HOOK-105). */
const CHECK_MS = 2 * SECOND_MS
/** A reader that reads nothing for so long is disconnected. */
const STALLED_MS = MINUTE_MS
/** The time for the last bytes of an ending stream. */
const END_MS = SECOND_MS

type StreamReply = Readonly<{
  /** The platform or operator that reads. */
  owner: string
  stream: NonNullable<Reply['stream']>
  isAllowed(): Promise<boolean>
}>

export type Streams = Readonly<{
  /** Sends events until the reader disconnects, loses its permission or the service stops. Fails: RATE_LIMITED. */
  send(reply: FastifyReply, streamed: StreamReply): FastifyReply
}>

/**
 * One page of a stream is in memory at a time: the next is read from the database when the socket has taken the last
 * one.
 */
export function createStreams(app: FastifyInstance): Streams {
  const open = new Map<AbortController, string>()
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    for (const over of open.keys()) over.abort()
  })
  const mustHaveRoom = (owner: string): void => {
    const ofOwner = [...open.values()].filter((other) => other === owner)
    const isFull = open.size >= PER_PROCESS_MAX || ofOwner.length >= PER_OWNER_MAX
    if (isFull) failRetryLater('RATE_LIMITED', FULL_RETRY_SECONDS, { reason: 'TOO_MANY_STREAMS' })
  }
  return {
    send(reply, { owner, stream, isAllowed }) {
      const { raw } = reply
      mustHaveRoom(owner)
      void reply
        .headers({ ...EVERY_ANSWER, Connection: 'close', 'X-Accel-Buffering': 'no' })
        .type('text/event-stream; charset=utf-8')
      if (reply.request.method === 'HEAD') return reply.send()
      const over = new AbortController()
      open.set(over, owner)
      const end = (): void => over.abort()
      const check = (): void =>
        void isAllowed().then((isStill) => (isStill ? undefined : end()), end)
      const timer = setInterval(check, CHECK_MS).unref()
      over.signal.addEventListener('abort', () => {
        clearInterval(timer)
        // A reader that reads nothing does not notice the end either.
        setTimeout(() => raw.destroy(), END_MS).unref()
      })
      raw.setTimeout(STALLED_MS, () => raw.destroy())
      raw.once('close', () => {
        open.delete(over)
        end()
      })
      // The reader may have left, or the service begun to stop, during the authentication.
      if (raw.closed) open.delete(over)
      if (raw.closed || isClosing) end()
      return reply.send(Readable.from(stream(over.signal)))
    },
  }
}
