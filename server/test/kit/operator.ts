import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import { bodyValidator, type Validator } from '../../src/infra/http/schema/validate.ts'
import { answerOf } from '../../src/operator/answer.ts'
import { commands } from '../../src/operator/commands.ts'
import { findCommand, parseCommandLine } from '../../src/operator/command-line/command-line.ts'
import type { Body } from './api.ts'
import { isShared, type Kit } from './florin.ts'

/** Runs a subcommand of `florin` as the command line gives it; the JSON value that it prints. `rest` may hold blanks. */
export async function operate(
  { florin }: Pick<Kit, 'florin'>,
  line: string,
  ...rest: readonly string[]
): Promise<Body> {
  const forAll = FOR_ALL_PLATFORMS.some((command) => line.startsWith(command))
  assert.ok(!(forAll && isShared(florin)), `${line} changes all platforms: call startOwnKit()`)
  const args = [...line.split(' '), ...rest]
  const command = findCommand(commands, args)
  assert.ok(command, `there is a command ${line}`)
  const { given } = parseCommandLine(command, args)
  const answer = (await answerOf(command, florin.deps, given)) as Body
  assert.deepEqual(validatorOf(command.answers)(answer), [], `${line} answers as its schema says`)
  return answer
}

/** What these set holds for every platform, so in a service that files share it would change what the others see. */
const FOR_ALL_PLATFORMS = ['rates set', 'network-fees set']

const validators = new WeakMap<TSchema, Validator>()

/** Made once: compiling the larger schemas takes a second. */
function validatorOf(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? bodyValidator(schema)
  validators.set(schema, validator)
  return validator
}
