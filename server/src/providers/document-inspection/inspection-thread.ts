/** The thread in which documents are looked at: one message in, one message out. */
import { parentPort } from 'node:worker_threads'
import { inspectBytes, type DocumentBytes } from './inspect-bytes.ts'

parentPort?.on('message', (document: DocumentBytes) => {
  // A failure here is nobody's photo but a bug: unhandled, it ends the thread, and whoever asked is told.
  void inspectBytes(document).then((findings) => parentPort?.postMessage(findings))
})
