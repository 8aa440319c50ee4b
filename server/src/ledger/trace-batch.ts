import type { Span, Tracer } from '../infra/logging/tracing/tracer.ts'

/**
 * Runs a batch in a span. A batch serves many requests but has one parent: the first sampled one. Links connect it with
 * each of them.
 */
export function traceBatch(
  tracer: Tracer | undefined,
  commands: readonly Readonly<{ span: Span | undefined }>[],
  run: () => Promise<void>,
): Promise<void> {
  if (!tracer) return run()
  const requests = commands.flatMap(({ span }) => (span?.context.isSampled ? [span] : []))
  const [first] = requests
  if (!first) return tracer.within(undefined, run)
  const attributes = { 'florin.commands': commands.length }
  return tracer.run({ name: 'lane batch', parent: first.context, attributes }, (batch) => {
    for (const request of requests) {
      batch.link(request.context)
      request.link(batch.context)
    }
    return run()
  })
}
