import {
  DEFAULT_ENVIRONMENT,
  ENVIRONMENTS,
  isEnvironment,
  type Environment,
} from '../../kernel/platform.ts'
import { UsageError, type Given } from '../command.ts'

/** What the option `--environment` says. */
export function environmentOf(given: Given, byDefault = DEFAULT_ENVIRONMENT): Environment {
  const text = given.text('environment') ?? byDefault
  if (!isEnvironment(text)) throw new UsageError(`--environment is ${ENVIRONMENTS.join(' or ')}.`)
  return text
}
