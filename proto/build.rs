//! Turns the contract into Rust: messages, gRPC, proto3 JSON, access adapters,
//! REST routes and OpenAPI, from one descriptor set and without protoc.

#[path = "build/adapter.rs"]
mod adapter;
#[path = "build/contacts.rs"]
mod contacts;
#[path = "build/forward.rs"]
mod forward;
#[path = "build/modules.rs"]
mod modules;
#[path = "build/openapi.rs"]
mod openapi;
#[path = "build/rules.rs"]
mod rules;

use std::{env, error::Error, fs, path::PathBuf};

use contacts::Contacts;
use prost_reflect::DescriptorPool;
use rest_over_grpc::build::{DescriptorOptions, Generator, OpenApiInfo, ServiceDefinition};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=frontdesk");
    println!("cargo::rerun-if-changed=google");
    println!("cargo::rerun-if-changed=build");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let descriptors = compile()?;
    let pool = DescriptorPool::decode(descriptors.as_slice())?;
    let contacts = Contacts::read(&pool)?;
    let services = rules::read(&pool, &contacts)?;

    let mut set = <prost_types::FileDescriptorSet as prost::Message>::decode(descriptors.as_slice())?;
    set.file.retain(|file| file.package() != "google.api");
    tonic_prost_build::configure()
        .compile_well_known_types(true)
        .extern_path(".google.protobuf", "::pbjson_types")
        .compile_fds(set)?;
    pbjson_build::Builder::new()
        .register_descriptors(&descriptors)?
        .emit_fields()
        .extern_path(".google.protobuf", "::pbjson_types")
        .build(&[".frontdesk"])?;

    let options =
        DescriptorOptions::new().package("frontdesk").extern_path(".google.protobuf", "::pbjson_types");
    let public = ServiceDefinition::from_fds(&descriptors, &options)?;
    let rest: Vec<String> = public.iter().map(|service| service.trait_name().to_owned()).collect();
    let mut generator = Generator::builder()
        .emit_tonic_bridge(false)
        .emit_openapi_spec(Some(OpenApiInfo::new("Frontdesk", "1.0.0")))
        .build();
    generator.add_all(public);
    generator.write(&out)?;

    fs::write(out.join("openapi.json"), openapi::merge(&out, &services)?)?;
    for package in rules::packages(&pool) {
        let of_package: Vec<_> = services.iter().filter(|service| service.package == package).collect();
        let generated = adapter::render(&of_package) + &contacts.render(&package);
        fs::write(out.join(format!("{package}.adapter.rs")), generated)?;
        fs::write(out.join(format!("{package}.forward.rs")), forward::render(&of_package, &rest))?;
    }
    fs::write(out.join("router.rs"), forward::router(rest.len()))?;
    fs::write(out.join("methods.rs"), adapter::all_methods(&services))?;
    fs::write(out.join("modules.rs"), modules::render(&out, &rules::packages(&pool)))?;
    Ok(())
}

fn compile() -> Result<Vec<u8>, Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_imports(true).include_source_info(true);
    for file in modules::proto_files(&root.join("frontdesk"))? {
        compiler.open_file(file)?;
    }
    Ok(compiler.encode_file_descriptor_set())
}
