/** The hosted flow for programs: the same steps as the page, in JSON (chapter 11, section 8). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { acceptForms, withForm } from '../../infra/http/input/accept-forms.ts'
import { parseJsonBody } from '../../infra/http/input/json-body.ts'
import { ownerInCustomer } from '../../features/beneficial-owners/index.ts'
import { documentToWire, FILE_BYTES_MAX } from '../../features/documents/index.ts'
import { localeOf } from '../language/locale.ts'
import type { PageHost } from '../page-host.ts'
import { mustBeOpen, readApplicant } from './applicant.ts'
import { addOwner, changeCustomer, changeOwner, submit, type Act } from './applicant-actions.ts'
import { adviceOn, handInDocument } from './documents/hand-in-document.ts'
import type { LinkGate } from './link-gate.ts'
import { stateToWire } from './details/state-to-wire.ts'

/** A form with a document; it is read only after the link was checked. */
export const DOCUMENT_FORM = { fileParts: ['file'], fileBytesMax: FILE_BYTES_MAX }

export function registerLinkApi(http: FastifyInstance, host: PageHost, gate: LinkGate): void {
  const { keyring } = host.deps
  const stateOf = async ({ visit }: Act) => stateToWire(keyring, await readApplicant(host, visit))
  void http.register(async (scope) => {
    scope.get('/verify/:token/state', async (request) => stateOf(await gate.enter(request)))
    scope.patch('/verify/:token/customer', async (request) => {
      const act = await gate.enter(request)
      const body = jsonOf(request)
      const { customerType } = await mustBeOpen(host, act.visit)
      await changeCustomer(act, isRecord(body) ? { customerType, ...body } : body)
      return stateOf(act)
    })
    scope.post('/verify/:token/beneficial-owners', async (request, reply) => {
      const owner = await addOwner(await gate.enter(request), jsonOf(request))
      return reply.code(201).send(ownerInCustomer(keyring, owner))
    })
    scope.patch('/verify/:token/beneficial-owners/:ownerId', async (request) => {
      const act = await gate.enter(request)
      const { ownerId } = request.params as { ownerId: string }
      return ownerInCustomer(keyring, await changeOwner(act, { ownerId, body: jsonOf(request) }))
    })
    scope.post('/verify/:token/submit', async (request) => {
      const { redirectUri, ...submission } = await submit(await gate.enter(request))
      return { ...submission, ...(redirectUri !== undefined && { redirectUri }) }
    })
  })
  void http.register(async (scope) => {
    acceptForms(scope)
    scope.post('/verify/:token/documents', async (request, reply) => {
      const document = await withDocument(host, gate, request, handInDocument)
      return reply.code(201).send(documentToWire(document))
    })
    scope.post('/verify/:token/check', async (request) => ({
      advice: await withDocument(host, gate, request, (act, form) =>
        adviceOn(act, form, localeOf(request)),
      ),
    }))
  })
}

async function withDocument<T>(
  { deps }: PageHost,
  gate: LinkGate,
  request: FastifyRequest,
  use: (act: Act, form: Parameters<typeof handInDocument>[1]) => Promise<T>,
): Promise<T> {
  const act = await gate.enter(request)
  return withForm(deps, { request, ...DOCUMENT_FORM }, (form) => use(act, form))
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fails: UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST_FORMAT. */
function jsonOf({ body, headers }: FastifyRequest): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return {}
  return parseJsonBody(body, headers['content-type'])
}
