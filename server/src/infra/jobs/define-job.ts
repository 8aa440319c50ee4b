import { Type, type Static, type TSchema } from '../http/schema/type.ts'
import type { Id, IdKind } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { bodyValidator, type Validator } from '../http/schema/validate.ts'
import { UUID } from '../http/schema/wire-schema.ts'

/** A job that can be queued. Waiting rows have the name (`feature.verb`) and payloads of the schema: neither may change. */
export type JobDefinition<Payload = unknown> = Readonly<{
  name: string
  /** Reads a stored payload. Throws where it is not of the schema's form, which fails the job. */
  read(payload: unknown): Payload
}>

export type PayloadOf<Definition> =
  Definition extends JobDefinition<infer Payload> ? Payload : never

const defined: JobDefinition[] = []

/** Declares a job, beside the code that queues it. app/job-handlers.ts lists its handler. */
export function defineJob<S extends TSchema>(name: string, schema: S): JobDefinition<Static<S>> {
  let validate: Validator | undefined
  const definition = {
    name,
    read(payload: unknown): Static<S> {
      validate ??= bodyValidator(schema)
      const findings = validate(payload)
      const sentence = `The payload of ${name} is of its schema: ${JSON.stringify(findings)}`
      invariant(findings.length === 0, sentence)
      return payload as Static<S>
    },
  }
  defined.push(definition)
  return definition
}

/** An id in a payload: a bare uuid, as everywhere inside the service. */
export const jobId = <K extends IdKind>(_kind: K) =>
  Type.Unsafe<Id<K>>({ type: 'string', pattern: `^${UUID}$` })

/** Every job that the loaded modules declare. */
export const definedJobs = (): readonly JobDefinition[] => defined
