/** The operator API: every command that is not local, over HTTP on the admin listener (chapter 45, section 7). */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../kernel/errors.ts'
import type { Caller } from '../../kernel/access/operator.ts'
import { toApiError } from '../../infra/db/statement/constraints.ts'
import type { Deps } from '../../infra/deps.ts'
import { errorReply } from '../../infra/http/error-reply.ts'
import { JSON_BODY_BYTES_MAX, parseJsonBody } from '../../infra/http/input/json-body.ts'
import { EVERY_ANSWER, JSON_TYPE, type Reply } from '../../infra/http/reply.ts'
import { collectionOf } from '../../infra/http/schema/collection.ts'
import { ownValue } from '../../infra/work/own-value.ts'
import { answeredId } from '../../infra/work/request-ids.ts'
import { onlyArg, type Command } from '../command.ts'
import { reviewCommands } from '../commands/customers/review.ts'
import { openDocument } from '../queries/open-document.ts'
import { answerRequest } from './answer-request.ts'
import { answerBatch } from './batch.ts'
import { readBody } from './command-body.ts'
import { describeOperatorApi } from './description.ts'
import { createIdentify } from './identify.ts'
import { writtenFile } from './send-files.ts'
import { mustBeCallable } from '../access/must-be-allowed.ts'
import { answersFile, pathOf, remoteCommands, ROOT } from './remote-commands.ts'

type OperatorApiOptions = Readonly<{
  deps: Deps
  /** The address under which the request came, where it is one of ours. */
  originOf: (request: FastifyRequest) => string | undefined
  /** Whether an operator asks who is signed in to the dashboard. */
  isSignedIn: (request: FastifyRequest) => Promise<boolean>
  /** Adds the page that shows the description in its folder. */
  serveReference: (scope: FastifyInstance, folder: string) => void
}>

const callers = ownValue<FastifyRequest, Caller>('caller')

export function registerOperatorApi(http: FastifyInstance, options: OperatorApiOptions): void {
  const identify = createIdentify(options.deps)
  void http.register(async (scope) => {
    takeBodies(scope)
    scope.addHook('onRequest', async (request, reply) => {
      void reply.headers({ ...EVERY_ANSWER, 'X-Request-Id': answeredId(request) })
      if (options.originOf(request) === undefined) return refuseHost(reply)
      // Authentication comes before the input (CORE-32). GET serves the reference, which people who are signed in may read.
      if (request.method !== 'GET' || !(await options.isSignedIn(request)))
        callers.set(request, await identify(request))
    })
    scope.setErrorHandler<Error>((error, _request, reply) =>
      send(reply, errorReply(toApiError(error))),
    )
    options.serveReference(scope, ROOT)
    const description = (request: FastifyRequest) =>
      describeOperatorApi(options.originOf(request) ?? '')
    scope.get(`${ROOT}/openapi.json`, async (request, reply) =>
      send(reply, { status: 200, body: description(request) }),
    )
    scope.get(`${ROOT}/docs/collection.json`, async (request, reply) =>
      send(reply, { status: 200, body: collectionOf(description(request)) }),
    )
    scope.all(`${ROOT}/*`, (request, reply) => answer(options.deps, request, reply))
  })
}

function takeBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  const options = { parseAs: 'buffer', bodyLimit: JSON_BODY_BYTES_MAX } as const
  scope.addContentTypeParser('*', options, (_request, body, done) => done(null, body))
}

const refuseHost = (reply: FastifyReply) =>
  reply.code(421).type('text/plain').send('ADMIN_URL has to name this host.\n')

const send = (reply: FastifyReply, { status, headers = {}, body }: Reply) =>
  reply.code(status).headers(headers).type(JSON_TYPE).send(JSON.stringify(body))

type Asked = Readonly<{ as: Deps & Readonly<{ operator: Caller }>; body: unknown; rawBody: Buffer }>

/** An empty body is an empty object: most reads take nothing. */
function askedBy(request: FastifyRequest, deps: Deps): Asked {
  const operator = callers.get(request) ?? fail('UNAUTHORIZED')
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const body = rawBody.length === 0 ? {} : parseJsonBody(rawBody, request.headers['content-type'])
  return { as: { ...deps, operator }, body, rawBody }
}

const keyOf = ({ headers }: FastifyRequest): string | undefined => {
  const key = headers['idempotency-key']
  return Array.isArray(key) ? key[0] : key
}

type Called = Readonly<{ command: Command; isBatch: boolean }>

/** By path, so that a start does not make a route for each. */
const called: ReadonlyMap<string, Called> = new Map(
  remoteCommands.flatMap((command): (readonly [string, Called])[] => [
    [pathOf(command), { command, isBatch: false }],
    ...(command.takesMany
      ? [[`${pathOf(command)}/batch`, { command, isBatch: true }] as const]
      : []),
  ]),
)

async function answer(deps: Deps, request: FastifyRequest, reply: FastifyReply) {
  const { '*': rest } = request.params as { '*': string }
  const asked = request.method === 'POST' ? called.get(`${ROOT}/${rest}`) : undefined
  const { command, isBatch } = asked ?? fail('REFERENCE_NOT_FOUND')
  const { as, body, rawBody } = askedBy(request, deps)
  if (isBatch) return send(reply, await answerBatch(as, command, body))
  if (command === reviewCommands.document) return sendDocument(reply, command, { as, body })
  if (answersFile(command)) return sendFile(reply, await writtenFile(as, command, body))
  return send(reply, await answerRequest(as, command, { body, rawBody, key: keyOf(request) }))
}

/** The file itself, for a person to keep; a browser does not show it in our name (OPER-65). */
async function sendDocument(
  reply: FastifyReply,
  command: Command,
  { as, body }: Pick<Asked, 'as' | 'body'>,
) {
  mustBeCallable(as.operator, command)
  const input = readBody({ ...command, options: {} }, body)
  const { bytes, mediaType, fileName } = await openDocument(as, onlyArg(input, 'documentId'))
  return sendFile(reply, { name: fileName, type: mediaType, bytes })
}

type File = Readonly<{ name: string; type: string; bytes: Buffer | Readable }>

const sendFile = (reply: FastifyReply, { name, type, bytes }: File) =>
  reply
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .type(type)
    .send(bytes)
