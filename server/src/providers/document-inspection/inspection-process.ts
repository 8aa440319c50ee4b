/** The process that inspects documents: one message in, one message out. It ends with its parent. */
import { flushCompileCache } from 'node:module'
import { inspectBytes, type DocumentBytes, type Finding } from './inspect-bytes.ts'

/** Messages to the parent: one when ready, then one per document. A bug here is no fault of the document. */
export type Answer = Readonly<{ findings: readonly Finding[] } | { bug: string }>
export const READY: Answer = { findings: [] }

/** Far below what one document may use (LIMITS in inspection-worker.ts). */
const KEPT_BYTES = 32 * 1024 * 1024
const readyBytes = process.memoryUsage.rss()

const answer = (message: Answer): void => {
  process.send?.(message)
}

// A signal to the process group is for the service, which finishes its work first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (document: DocumentBytes) => {
  void inspectBytes(document).then(
    (findings) => {
      answer({ findings })
      // The pixels of this photo must not count against the next. A collection costs more than most documents.
      if (process.memoryUsage.rss() - readyBytes > KEPT_BYTES) globalThis.gc?.()
    },
    (error: unknown) => answer({ bug: error instanceof Error ? String(error.stack) : 'unknown' }),
  )
})
answer(READY)
// A process that takes too long over a document is killed, and would keep nothing of what it compiled for the next.
flushCompileCache()
