# Only the server. Node runs its sources without a build. Scalar's script, for /docs, is the only other part.
# Build with `docker build --tag commerce-service .`. docs/deployment.md explains how to run it.

# The version is the one that the tests use. docs/deployment.md explains how to add a digest for reproducible builds.
FROM node:26.10.0-trixie-slim AS base
WORKDIR /app

FROM base AS packages
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --cache /tmp/npm && rm -rf /tmp/npm \
  && npm sbom --sbom-format cyclonedx --sbom-type application --omit dev > sbom.json

FROM base AS reference
COPY scripts/toolkit/docs ./
RUN node --input-type=module --eval 'await (await import("./reference-script.ts")).fetchReferenceScript("reference-page")'

FROM base
# The server needs no package manager. The link makes /data the folder of the default database. A DATABASE_URL
# in the image would exclude DATABASE_URL_FILE.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /opt/yarn* /usr/local/bin/yarn* \
  && install --directory --owner=node --group=node --mode=0750 /data && ln -s /data data
COPY --from=packages /app/node_modules ./node_modules
COPY --from=reference /app/reference-page ./reference-page
COPY --from=packages /app/sbom.json ./sbom.json
COPY package.json ./
COPY LICENSE ./
COPY CHANGELOG.md ./
COPY generated ./generated
COPY server ./server
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DOCS_ASSETS=reference-page NODE_COMPILE_CACHE=node_modules/.cache/compile NODE_OPTIONS=--max-old-space-size=256
# Stores the code that Node compiles, so that containers start faster.
RUN node server --help > /dev/null
USER node
VOLUME /data
EXPOSE 3000
# Bash opens the connection itself, because the image has no curl and starting Node takes longer.
# With TLS, Node opens it. The certificate is not checked, because it is not for 127.0.0.1.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["bash", "-c", "[[ $TLS_CERT_FILE ]] && exec node -e \"require('https').get({ host: '127.0.0.1', port: process.env.PORT, path: '/healthz', rejectUnauthorized: false }, (r) => process.exit(r.statusCode === 200 ? 0 : 1))\"; exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ $status = 200 ]"]
CMD ["node", "server"]
