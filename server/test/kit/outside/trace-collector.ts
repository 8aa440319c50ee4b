import type { IncomingMessage, ServerResponse } from 'node:http'
import { serveHttp } from './loopback-server.ts'

export type ReceivedSpan = Readonly<{
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: readonly Readonly<{ key: string; value: Readonly<Record<string, string>> }>[]
  links?: readonly Readonly<{ traceId: string; spanId: string }>[]
}>

type ExportRequest = Readonly<{
  resourceSpans: readonly Readonly<{
    scopeSpans: readonly Readonly<{ spans: readonly ReceivedSpan[] }>[]
  }>[]
}>

/** An OpenTelemetry collector on loopback that takes OTLP/HTTP in JSON, until it is told to refuse. */
export async function startCollector() {
  const received: string[] = []
  const keys: (string | undefined)[] = []
  let status = 200
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = Buffer.concat(await Array.fromAsync(request)).toString()
    if (status === 200 && request.url === '/v1/traces') received.push(text)
    keys.push(request.headers['x-collector-key'] as string | undefined)
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }
  const server = await serveHttp((request, response) => void receive(request, response))
  const spans = (): readonly ReceivedSpan[] =>
    received
      .map((text) => JSON.parse(text) as ExportRequest)
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans)
  return {
    url: server.url,
    keys,
    spans,
    ofTrace: (traceId: string) => spans().filter((span) => span.traceId === traceId),
    /** Everything that came, as it came. */
    text: () => received.join('\n'),
    answer: (given: number) => void (status = given),
  }
}
