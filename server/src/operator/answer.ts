import type { TSchema } from 'typebox'
import { invariant } from '../kernel/invariant.ts'
import type { Deps } from '../infra/deps.ts'
import { bodyValidator, type Validator } from '../infra/http/validate.ts'
import type { Command, Given } from './command.ts'

/** One JSON value; amounts are bigint inside and whole numbers outside. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'bigint' ? Number(inner) : inner,
  )

/** Runs a command and answers what `--json` prints; outside of production it is held against the schema. */
export async function answerOf<T>(command: Command<T>, deps: Deps, given: Given): Promise<T> {
  const answer = JSON.parse(toJson(await command.run(deps, given))) as T
  if (!deps.settings.production) checkAnswer(command, answer)
  return answer
}

const compiled = new WeakMap<TSchema, Validator>()

/** An answer that does not match its schema is a bug of ours. */
export function checkAnswer({ name, answers }: Command, answer: unknown): void {
  const validator = compiled.get(answers) ?? bodyValidator(answers)
  compiled.set(answers, validator)
  const findings = validator(answer)
  invariant(findings.length === 0, `${name} matches its schema: ${JSON.stringify(findings)}`)
}
