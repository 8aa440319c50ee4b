/** Where traces go; named as OpenTelemetry names them everywhere. */
import * as kinds from './setting-kinds.ts'
import { optional, setting } from './setting.ts'

export const TRACING_SETTINGS = {
  otlpEndpoint: optional({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    kind: kinds.baseUrl,
    about:
      'Address of an OpenTelemetry collector (`http://localhost:4318`): traces are sent to `/v1/traces` below it as JSON. Without it nothing is traced.',
  }),
  otlpHeaders: setting({
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    kind: kinds.headers,
    default: '',
    defaultShown: 'none',
    about: 'Headers that the collector wants, such as its key: `name=value,name=value`.',
  }),
  otlpServiceName: setting({
    name: 'OTEL_SERVICE_NAME',
    kind: kinds.foreignName,
    default: 'florin',
    about: 'What the service is called in traces.',
  }),
  traceShare: setting({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    kind: kinds.share,
    default: '1',
    about:
      'Share of the requests that are traced, from 0 to 1; a request with `traceparent` is traced where its caller traces.',
  }),
}
