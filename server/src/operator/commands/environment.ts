import { DEFAULT_ENVIRONMENT, ENVIRONMENTS, type Environment } from '../../kernel/platform.ts'
import { UsageError, type Given } from '../command.ts'

/** What the option `--environment` says. */
export function environmentOf(given: Given, byDefault = DEFAULT_ENVIRONMENT): Environment {
  const text = given.text('environment') ?? byDefault
  const found = ENVIRONMENTS.find((environment) => environment === text)
  if (!found) throw new UsageError(`--environment is ${ENVIRONMENTS.join(' or ')}.`)
  return found
}
