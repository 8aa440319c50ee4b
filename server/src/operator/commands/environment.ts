import {
  DEFAULT_ENVIRONMENT,
  ENVIRONMENTS,
  isEnvironment,
  type Environment,
} from '../../kernel/platform.ts'
import { UsageError, type Input } from '../command.ts'

/** The option `--environment`. Fails: UsageError. */
export function environmentOf(input: Input, byDefault = DEFAULT_ENVIRONMENT): Environment {
  const text = input.option('environment') ?? byDefault
  if (!isEnvironment(text)) throw new UsageError(`--environment is ${ENVIRONMENTS.join(' or ')}.`)
  return text
}
