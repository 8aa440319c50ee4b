import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts'
import type { Log } from '../../logging/log.ts'
import { hasArrived, hasBody, takesForm } from '../input/request-body.ts'
import { answerUnparsed } from '../input/unparsed.ts'

/** From the connection, or the end of its last request, to the end of the headers. */
export const HEADERS_MS_MAX = 30 * SECOND_MS
/** From the first byte of a request to the last one of the largest upload. */
export const REQUEST_MS_MAX = 30 * MINUTE_MS
/** From the headers of a request to the end of its JSON body. */
const JSON_BODY_MS_MAX = 30 * SECOND_MS
/** How long a client may continue to send after the answer, so that it can read the answer meanwhile. */
const REST_MS_MAX = 5 * SECOND_MS
const FORM_REST_MS_MAX = 20 * SECOND_MS

const LATE = Object.assign(new Error('the body took too long'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
})

/**
 * Ends requests whose body does not arrive: a JSON body has half a minute, and after an answer that did not wait for the
 * body the connection is closed soon. An upload has the limit of the whole request.
 */
export function limitBodies(app: FastifyInstance, log: Log): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    limitBody(request)
    done(null, payload)
  })
  const limitBody = (request: FastifyRequest): void => {
    const { raw } = request
    if (hasArrived(raw) || !hasBody(request) || takesForm(request)) return
    const refuse = () => raw.complete || answerUnparsed(log, LATE, raw.socket)
    const timer = setTimeout(refuse, JSON_BODY_MS_MAX).unref()
    raw.once('close', () => clearTimeout(timer))
    raw.once('end', () => clearTimeout(timer))
  }
  app.addHook('onResponse', (request, _reply, done) => {
    limitRest(request)
    done()
  })
  const limitRest = (request: FastifyRequest): void => {
    const { raw } = request
    if (raw.complete || raw.destroyed) return
    const end = () => raw.complete || raw.socket.destroy()
    setTimeout(end, takesForm(request) ? FORM_REST_MS_MAX : REST_MS_MAX).unref()
  }
}
