//! Reflection: for development, hence on loopback only unless asked for.

use crate::support::Server;
use tokio_stream::once;
use tonic::{Code, Status};
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
use tonic_reflection::pb::v1::{ServerReflectionRequest, ServiceResponse};

async fn services(server: &Server) -> Result<Vec<String>, Status> {
    let mut client = ServerReflectionClient::new(server.channel().await);
    let question = Some(MessageRequest::ListServices(String::new()));
    let request = ServerReflectionRequest { host: String::new(), message_request: question };
    let mut answers = client.server_reflection_info(once(request)).await?.into_inner();
    let answer = answers.message().await?.expect("one answer a question");
    let Some(MessageResponse::ListServicesResponse(list)) = answer.message_response else {
        panic!("{answer:?}")
    };
    Ok(list.service.into_iter().map(|ServiceResponse { name }| name).collect())
}

#[tokio::test]
async fn reflection_lists_the_services_on_loopback_or_where_asked_for() {
    let elsewhere = ["--listen", "0.0.0.0:50051", "--trusted-callers", "--reflection"];
    for arguments in [&[][..], &elsewhere] {
        let server = Server::start(arguments).await;
        let names = services(&server).await.expect("answered");
        for name in ["canasta.v1.GameService", "grpc.health.v1.Health"] {
            assert!(names.iter().any(|listed| listed == name), "{name} is not among {names:?}");
        }
        let is_of_recorder = |name: &String| name == "canasta.v1.RecordService";
        assert!(!names.iter().any(is_of_recorder), "this server keeps no games");
    }
    let server = Server::start(&elsewhere[..3]).await;
    assert_eq!(services(&server).await.expect_err("switched off").code(), Code::Unimplemented);
}
