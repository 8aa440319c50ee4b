import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from './type.ts'
import { ApiError, type ErrorCode } from '../../../kernel/errors.ts'
import { errorReply } from '../error-reply.ts'
import { read } from '../operation.ts'
import type { Call } from '../perform.ts'
import { checkingReplies } from './reply-checker.ts'
import { reply, type Reply } from '../reply.ts'

const declared = read({
  id: 'getThing',
  path: '/things',
  tag: 'Customers',
  needs: 'VIEW',
  summary: 'Read a thing',
  replies: { 200: Type.Object({ name: Type.String() }) },
  errors: ['REFERENCE_NOT_FOUND'],
  handler: async () => reply(200, { name: 'a' }),
})

const answering = (answer: () => Promise<Reply>): Promise<Reply> =>
  checkingReplies(declared, answer)({} as Call)

const refusals = {
  returned: (code: ErrorCode) => async () => errorReply(new ApiError(code)),
  thrown: (code: ErrorCode) => async () => Promise.reject(new ApiError(code)),
}

test('CORE-86 an answer that the operation does not declare is a bug', async () => {
  assert.equal((await answering(async () => reply(200, { name: 'a' }))).status, 200)
  await assert.rejects(
    answering(async () => reply(200, {})),
    /getThing 200 matches its schema/,
  )
  await assert.rejects(
    answering(async () => reply(201, {})),
    /getThing declares status 201/,
  )
})

test('CORE-86 ERR-9 so is a refusal, returned or thrown, that it does not list', async () => {
  for (const refused of Object.values(refusals)) {
    await assert.rejects(answering(refused('CONFLICT')), /getThing declares CONFLICT/)
  }
  for (const code of ['REFERENCE_NOT_FOUND', 'RATE_LIMITED'] as const) {
    assert.equal((await answering(refusals.returned(code))).status, new ApiError(code).status)
    await assert.rejects(answering(refusals.thrown(code)), { code })
  }
})
