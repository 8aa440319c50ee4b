/** The thread in which documents are looked at: one message in, one message out. */
import { parentPort } from 'node:worker_threads'
import type { InspectedDocument } from './document-inspector.ts'
import { inspectBytes } from './inspect-bytes.ts'

type Message = Omit<InspectedDocument, 'bytes'> & Readonly<{ bytes: Uint8Array }>

parentPort?.on('message', ({ bytes, ...document }: Message) => {
  // A failure here is nobody's photo but a bug: unhandled, it ends the thread, and whoever asked is told.
  void inspectBytes({ ...document, bytes: Buffer.from(bytes) }).then((findings) =>
    parentPort?.postMessage(findings),
  )
})
