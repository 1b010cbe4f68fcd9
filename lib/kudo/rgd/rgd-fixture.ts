/** A web application with a Service, a Deployment that uses it, an optional Ingress, and settings that exist already. */
export const WEB_RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: web-application
spec:
  schema:
    apiVersion: v1alpha1
    group: demo.example.com
    kind: WebApplication
    spec:
      name: string | required
      image: string | default="nginx:1.27"
      replicas: integer | default=2 minimum=1
      ingress:
        enabled: boolean | default=false
        host: string | default="example.com"
      env: "map[string]string"
    status:
      address: \${service.spec.clusterIP}
      ready: \${deployment.status.readyReplicas > 0}
      summary: "\${schema.spec.name} has \${string(deployment.spec.replicas)} replicas"
      nested: {port: "\${service.spec.ports[0].port}"}
    additionalPrinterColumns:
      - {name: Address, type: string, jsonPath: .status.address}
  resources:
    - id: deployment
      readyWhen:
        - \${deployment.status.readyReplicas == deployment.spec.replicas}
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \${schema.spec.name}
        spec:
          replicas: \${schema.spec.replicas}
          selector: {matchLabels: {app: "\${schema.spec.name}"}}
          template:
            metadata: {labels: {app: "\${schema.spec.name}"}}
            spec:
              containers:
                - name: web
                  image: \${schema.spec.image}
                  env:
                    - {name: ADDRESS, value: "http://\${service.spec.clusterIP}:80/\${schema.spec.name}"}
                    - {name: LEVEL, value: "\${settings.data.?level.orValue('info')}"}
                    - {name: MODE, value: "\${schema.spec.replicas > 1 ? 'many' : 'one'}"}
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: \${schema.spec.name}-svc
        spec:
          selector: {app: "\${schema.spec.name}"}
          ports: [{port: 80}]
    - id: ingress
      includeWhen:
        - \${schema.spec.ingress.enabled}
      template:
        apiVersion: networking.k8s.io/v1
        kind: Ingress
        metadata:
          name: \${service.metadata.name}
        spec:
          rules:
            - host: \${schema.spec.ingress.host}
    - id: settings
      externalRef:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: web-settings
    - id: strange
      forEach: [{zone: "\${schema.spec.zones}"}]
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: strange
        data:
          a: \${['a', 'b'].map(x, x + 'c').join(',')}
`;
